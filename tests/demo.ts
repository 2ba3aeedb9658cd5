/**
 * The main job, shown from outside: a host asks `saber rpc` a question over the pipe and fetches the rows, then the
 * official MCP client uses the same database without a model. The model is a recording, and the demo says so.
 * `deno task demo` runs it; it needs no key and no network.
 */
import { askTheAgent } from "./support/demo_agent.ts";
import { useTheTools } from "./support/demo_tools.ts";
import { shop } from "./support/shop.ts";
import { say } from "./support/say.ts";

const database = await shop("sqlite");
say(`The database is the sample shop with its customers, products and orders. The model is a recording of one
conversation: it costs nothing and hears nothing you say. Everything else is the real program.\n`);
await askTheAgent(database);
await useTheTools(database);
