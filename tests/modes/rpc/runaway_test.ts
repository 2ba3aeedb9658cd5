import assert from "node:assert/strict";
import { cpuSeconds } from "../../support/cpu.ts";
import { startModelServer } from "../../support/model_server.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const PATIENCE_MS = 30_000;
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
/** What an idle program may use of a processor in WATCHED_MS, in seconds; a statement that runs on uses all of it. */
const IDLE = 1;
const WATCHED_MS = 3000;

const TARGETS = {
  SQLite: await shop("sqlite"),
  DuckDB: await shop("duckdb"),
  CSV: `${await shop("csv")}/orders.csv`,
};

/** Reads until an event of this type. */
async function until(program: Program, type: string) {
  while (true) {
    const line = await program.line(PATIENCE_MS);
    if (line === undefined) throw new Error(`the program ended: ${await program.errors()}`);
    const event = JSON.parse(line);
    if (event.type === type) return event;
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

for (const [name, target] of Object.entries(TARGETS)) {
  Deno.test(`an endless query on ${name} is aborted, nothing runs on, and the next prompt works`, async () => {
    await using model = startModelServer([
      { stream: { text: toolCallStream("execute_sql", { query: ENDLESS }) } },
      { stream: "openai/text.sse" },
    ]);
    await using program = new Program({
      args: ["rpc", "-d", target, "--no-thread", "--model", "openai:recorded"],
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "recorded" },
    });
    await program.send('{"type":"prompt","message":"run for ever"}\n');
    await until(program, "tool_execution_start");
    const begun = await cpuSeconds(program.pid);
    while (await cpuSeconds(program.pid) < begun + 1) await sleep(200); // the statement is at work
    const aborted = performance.now();
    await program.send('{"type":"abort"}\n');
    assert.equal((await until(program, "agent_end")).status, "aborted");
    const took = performance.now() - aborted;
    assert.deepEqual((await until(program, "response")).data, { aborted: true });
    assert.ok(took < 5000, `the abort took ${took} ms`); // a second on an idle machine
    await sleep(1000);
    const before = await cpuSeconds(program.pid);
    await sleep(WATCHED_MS);
    const used = await cpuSeconds(program.pid) - before;
    assert.ok(used <= IDLE, `${used} s of processor time in ${WATCHED_MS} ms`);
    await program.send('{"type":"prompt","message":"and now?"}\n');
    assert.equal((await until(program, "agent_end")).status, "completed");
  });
}
