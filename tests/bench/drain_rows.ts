/**
 * A process that opens a database, says `open` after a first small answer, and at each further line reads every row of a
 * statement and says how many there were. Its arguments: the target as JSON, and the statement.
 */
import type { Target } from "../../src/db/driver.ts";
import { guard } from "../../src/db/guarded.ts";
import { ENGINES } from "../../src/db/registry.ts";
import { countRows } from "./count_rows.ts";

const [json = "", sql = ""] = Deno.args;
const target: Target = JSON.parse(json);
const options = { access: "read", timeoutMs: 60_000 } as const;
const loaded = await ENGINES[target.engine]?.load();
if (loaded === undefined) throw new Error(`there is no engine ${target.engine}`);
const database = guard(await loaded.driver.open(target, options), options);

async function say(word: string | number): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${word}\n`));
}

await countRows(database, "SELECT 1");
await say("open");
for await (const _ of Deno.stdin.readable) await say(await countRows(database, sql));
await database.close();
Deno.exit(0);
