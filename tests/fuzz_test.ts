/**
 * Random mutations of valid lines, fed to the running program: every line of output is JSON, memory stays flat, and it
 * still answers at the end.
 */
import assert from "node:assert/strict";
import { residentMiB } from "./support/memory.ts";
import { startModelServer } from "./support/model_server.ts";
import { mutate, random } from "./support/mutate.ts";
import { PATIENCE_MS } from "./support/patience.ts";
import { Program } from "./support/program.ts";
import { shop } from "./support/shop.ts";

const LINES = 100_000;
const CHUNK = 250;
/** What memory may grow by in the second half of the run, in MiB; the engine's heap takes the first to find its size. */
const FLAT = 64;

interface Fuzzed {
  readonly program: Program;
  /** What is mutated. Nothing of it may end the program. */
  readonly valid: readonly object[];
  /** A command that is always answered; its id is added. */
  readonly probe: object;
}

/** Reads until the answer to the probe; gives the number of lines before it, each of which must be JSON. */
async function readToProbe(program: Program, id: string): Promise<number> {
  for (let count = 0;; count++) {
    const line = await program.line(PATIENCE_MS);
    if (line === undefined) assert.fail(`the program ended: ${await program.errors()}`);
    const record: unknown = JSON.parse(line);
    assert.ok(typeof record === "object" && record !== null && !Array.isArray(record), line);
    if ("id" in record && record.id === id) return count;
  }
}

async function fuzz({ program, valid, probe }: Fuzzed): Promise<void> {
  const texts = valid.map((each) => JSON.stringify(each));
  const next = random(31);
  let [answers, settled] = [0, 0];
  for (let sent = 0; sent < LINES; sent += CHUNK) {
    const chunk = Array.from({ length: CHUNK }, () => [...mutate(texts, next), 0x0a]);
    await program.send(Uint8Array.from(chunk.flat()));
    const id = `probe ${sent}`;
    await program.send(`\n${JSON.stringify({ ...probe, id })}\n`);
    answers += await readToProbe(program, id);
    if (sent === LINES / 2) settled = await residentMiB(program.pid);
  }
  assert.ok(answers > LINES / 4, `only ${answers} answers came`);
  const grown = await residentMiB(program.pid) - settled;
  assert.ok(grown < FLAT, `memory grew by ${Math.round(grown)} MiB`);
}

const SQL = "SELECT count(*) AS n FROM orders WHERE note IS NOT NULL";

Deno.test("saber rpc survives 100,000 mutated lines", { ignore: Deno.build.os !== "linux" }, async () => {
  await using models = startModelServer(() => ({ stream: "openai/text.sse" }));
  await using program = new Program({
    args: ["rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:test"],
    env: { OPENAI_API_KEY: "key", OPENAI_BASE_URL: models.baseUrl },
  });
  await program.line(PATIENCE_MS); // ready
  const valid = [
    { type: "get_state", id: 1 },
    { type: "prompt", id: "q", message: "How many orders are there? ü😀" },
    { type: "abort", id: 2 },
    { type: "get_messages" },
    { type: "get_last_assistant_text", id: "t" },
    { type: "get_query_result", id: 3, resultId: `qr_${"0".repeat(32)}`, offset: 0, limit: 5000 },
    { type: "new_session", id: null },
    { type: "set_thinking_level", level: "high", id: 4 },
    { type: "steer", message: "Only last year." },
    { type: "unknown", id: 5, nested: { a: [1, 2.5, -3e2, null, true, "\u2028"] } },
  ];
  await fuzz({ program, valid, probe: { type: "get_state" } });
});

Deno.test("saber mcp survives 100,000 mutated lines", { ignore: Deno.build.os !== "linux" }, async () => {
  await using program = new Program({ args: ["mcp", "-d", await shop("sqlite")] });
  const message = (method: string, rest: object = {}) => ({ jsonrpc: "2.0", method, ...rest });
  const clientInfo = { name: "fuzz", version: "1" };
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await program.send(`${JSON.stringify(message("initialize", { id: 0, params: initialize }))}\n`);
  await program.line(PATIENCE_MS);
  await program.send(`${JSON.stringify(message("notifications/initialized"))}\n`);
  const call = (name: string, args: object) =>
    message("tools/call", { id: 7, params: { name, arguments: args } });
  const valid = [
    message("ping", { id: 1 }),
    message("tools/list", { id: "l", params: { cursor: null } }),
    message("initialize", { id: 2, params: initialize }),
    message("notifications/cancelled", { params: { requestId: 7, reason: "ü😀" } }),
    call("list_tables", {}),
    call("execute_sql", { query: SQL }),
    call("introspect_schema", { table_pattern: "%order%" }),
    message("unknown", { id: 3, params: { a: [1, 2.5, -3e2, null, true, "\u2028"] } }),
  ];
  await fuzz({ program, valid, probe: message("ping") });
});
