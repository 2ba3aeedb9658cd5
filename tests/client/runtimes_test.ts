/** The client where Deno is not: one bundle, run by Node and by Bun. */
import assert from "node:assert/strict";
import { startModelServer } from "../support/model_server.ts";
import { bun } from "../support/peers.ts";
import { saberCommand } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import { repository } from "../support/sources.ts";

const HOST = `
import { Saber } from "./client.js";
const [command, args] = JSON.parse(process.argv[2]);
const saber = await Saber.start({ command, args });
const events = [];
for await (const event of await saber.prompt("How many?")) events.push(event.type);
const { text } = await saber.request("get_last_assistant_text", {});
const refused = await saber.request("steer", { message: "Now." }).catch((error) => error.name);
await saber.close();
const gone = await saber.request("get_state", {}).catch((error) => error.name + ": " + error.message);
console.log(JSON.stringify({ state: saber.ready.state, first: events[0], last: events.at(-1), text, refused, gone }));
`;

const RUNTIMES: { readonly [name: string]: () => Promise<string> } = {
  Node: () => Promise.resolve("node"),
  Bun: bun,
};

async function worksIn(runtime: string): Promise<void> {
  const folder = await Deno.makeTempDir();
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const bundled = await new Deno.Command("deno", {
    args: ["bundle", "-q", "-o", `${folder}/client.js`, "src/client/client.ts"],
    cwd: repository,
    stdout: "null",
  }).output();
  assert.ok(bundled.success, new TextDecoder().decode(bundled.stderr));
  await Deno.writeTextFile(`${folder}/host.mjs`, HOST);
  await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module"}');
  const args = ["-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"];
  const { stdout, stderr } = await new Deno.Command(runtime, {
    args: [`${folder}/host.mjs`, JSON.stringify([saberCommand(), args])],
    cwd: repository,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
    state: "idle",
    first: "agent_start",
    last: "agent_end",
    text: "Es gibt 63 Kundinnen – naïve 東京 🦕.",
    refused: "CommandError",
    gone: "GoneError: saber ended with the exit code 0.",
  });
  await Deno.remove(folder, { recursive: true });
}

for (const [name, find] of Object.entries(RUNTIMES)) {
  Deno.test(`the client works in ${name}`, async () => await worksIn(await find()));
}
