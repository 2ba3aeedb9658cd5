/** Cancelled calls on every engine: the statement ends in the database, and the next one begins. */
import assert from "node:assert/strict";
import { busyDatabases } from "../../support/busy_databases.ts";
import { HttpProgram } from "../../support/http_program.ts";
import { type Message, messageSchema } from "../../support/line_peer.ts";
import { callOf, hello, request } from "../../support/mcp.ts";
import { PATIENCE_MS, SOON_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { goodHeaders } from "../../support/raw_http.ts";

const databases = await busyDatabases();

const sql = (id: number, query: string) => request(id, "tools/call", callOf("execute_sql", { query }));
const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
const one = sql(2, "SELECT 1 AS n");

async function until(condition: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!await condition()) {
    assert.ok(performance.now() - begun < PATIENCE_MS, "it does not come to this");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function assertOne({ id, result }: Message): void {
  assert.equal(id, 2);
  assert.match(JSON.stringify(result?.structuredContent), /"results":\[\{"n":1\}\]/);
}

for (const [engine, make] of Object.entries(databases)) {
  Deno.test(`${engine}: after a cancelled call the next one begins, over stdio`, async () => {
    await using database = await make();
    await using program = new Program({ args: ["mcp", "-d", database.target] });
    const send = async (...messages: unknown[]) =>
      await program.send(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    const next = async () => messageSchema.parse(JSON.parse(await program.line(PATIENCE_MS) ?? "the end"));
    await send(...hello(), one);
    await next();
    assertOne(await next());
    await send(sql(1, database.endless));
    await until(() => database.isBusy(program.pid));
    const begun = performance.now();
    await send(cancelled, one);
    assertOne(await next());
    assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
    await until(async () => !await database.isBusy(program.pid));
  });

  Deno.test(`${engine}: after a cancelled call the next one begins, over HTTP`, async () => {
    await using database = await make();
    await using program = new HttpProgram(database.target, "--port", "0");
    const url = await program.url();
    const post = async (message: unknown, session: object = {}) => {
      const headers = { ...goodHeaders(Number(url.port)), ...session };
      return await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
    };
    const ask = async (message: unknown) => {
      const text = await (await post(message)).text();
      return messageSchema.parse(JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text));
    };
    const greeting = await post(hello()[0]);
    await greeting.text();
    const session = { "Mcp-Session-Id": greeting.headers.get("mcp-session-id") ?? "" };
    assertOne(await ask(one));
    const running = await post(sql(1, database.endless), session);
    await until(() => database.isBusy(program.pid));
    const begun = performance.now();
    await (await post(cancelled, session)).text();
    assertOne(await ask(one));
    assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
    assert.doesNotMatch(await running.text(), /"result"/);
    await until(async () => !await database.isBusy(program.pid));
  });
}
