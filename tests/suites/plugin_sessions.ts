/**
 * Open transactions by editor tab, stopping and many requests at once, on one engine.
 */
import assert from "node:assert/strict";
import { PATIENCE_MS } from "../support/patience.ts";
import { PluginHost } from "../support/plugin_host.ts";
import * as shapes from "../support/plugin_shapes.ts";
import { type PluginFixture, runAll } from "./plugin_fixture.ts";

/** How long a condition is waited for. */

export function pluginSessions(engine: string, make: () => Promise<PluginFixture>): void {
  Deno.test(`saber plugin on ${engine} keeps the transactions of tabs`, async (t) => {
    const fixture = await make();
    await using host = new PluginHost(fixture.params);
    try {
      await runAll(host, fixture.create, null);
      await runAll(host, fixture.setup, fixture.schema);
      await t.step("runs of two tabs, seen by a third", () => tabs(host, fixture));
      await t.step("a batch goes on after an error and leaves nothing open", () => batch(host, fixture));
      await t.step("a closed tab", () => closed(host, fixture));
      await t.step("a killed program", () => killed(make));
      await t.step("a cancelled query", () => cancelled(host, fixture));
      await t.step("two hundred requests while a query runs", () => pipelined(host, fixture));
    } finally {
      await runAll(host, fixture.cleanup, null);
      await fixture.dispose();
    }
  });
}

function inTab(host: PluginHost, { schema }: PluginFixture) {
  return async (tab: string, query: string) => {
    const fields = { query, limit: 100, page: 1, schema, session_id: tab };
    return shapes.sessionResult.parse(await host.ask("execute_query", fields));
  };
}

/** The ids in `item` that are committed. */
async function ids(host: PluginHost, { schema }: PluginFixture): Promise<unknown[]> {
  const fields = { query: "SELECT id FROM item ORDER BY id", limit: null, page: 1, schema };
  return shapes.queryResult.parse(await host.ask("execute_query", fields)).rows.flat();
}

async function tabs(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const run = inTab(host, fixture);
  assert.equal((await run("one", "BEGIN")).in_transaction, true);
  assert.equal((await run("one", "INSERT INTO item (id, name) VALUES (100, 'one')")).in_transaction, true);
  assert.deepEqual((await run("one", "SELECT id FROM item")).result.rows, [[100]]);
  assert.deepEqual(await run("three", "SELECT id FROM item"), {
    result: {
      columns: ["id"],
      rows: [],
      affected_rows: 0,
      truncated: false,
      pagination: { page: 1, page_size: 100, total_rows: null, has_more: false },
    },
    in_transaction: false,
  });
  if (fixture.has.concurrentWriters) {
    assert.equal((await run("two", "BEGIN")).in_transaction, true);
    await run("two", "INSERT INTO item (id, name) VALUES (200, 'two')");
    assert.deepEqual((await run("two", "SELECT id FROM item")).result.rows, [[200]]);
  }
  await assert.rejects(run("one", "SELEC 1"), /SELEC/i);
  const afterError = fixture.has.errorsEndTransactions ? "ROLLBACK" : "COMMIT";
  assert.equal((await run("one", afterError)).in_transaction, false);
  assert.deepEqual(await ids(host, fixture), afterError === "COMMIT" ? [100] : []);
  if (fixture.has.concurrentWriters) assert.equal((await run("two", "COMMIT")).in_transaction, false);
  const seen = (await run("three", "SELECT id FROM item ORDER BY id")).result.rows.flat();
  assert.equal(seen.includes(200), fixture.has.concurrentWriters);
}

async function batch(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const before = await ids(host, fixture);
  const queries = [
    "BEGIN",
    "INSERT INTO item (id, name) VALUES (300, 'batch')",
    "SELECT name FROM item WHERE id = 300",
  ];
  const fields = { queries, limit: 10, page: 1, schema: fixture.schema };
  const items = await host.ask("execute_query_batch", fields);
  assert.ok(Array.isArray(items));
  assert.deepEqual(shapes.batchItem.parse(items[2]).result?.rows, [["batch"]]);
  assert.deepEqual(await ids(host, fixture), before);
}

async function closed(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const before = await ids(host, fixture);
  const run = inTab(host, fixture);
  await run("closing", "BEGIN");
  await run("closing", "INSERT INTO item (id, name) VALUES (400, 'gone')");
  assert.deepEqual(await host.ask("release_session", { session_id: "closing" }), { released: true });
  assert.deepEqual(await host.ask("release_session", { session_id: "never seen" }), { released: true });
  assert.deepEqual(await ids(host, fixture), before);
  assert.equal((await run("closing", "SELECT 1")).in_transaction, false);
}

/** In a place of its own, since a file may be one process's at a time. */
async function killed(make: () => Promise<PluginFixture>): Promise<void> {
  const fixture = await make();
  await using maker = new PluginHost(fixture.params);
  await runAll(maker, fixture.create, null);
  await runAll(maker, fixture.setup, fixture.schema);
  await maker.program.endInput();
  await maker.program.exit;

  const victim = new PluginHost(fixture.params);
  const run = inTab(victim, fixture);
  await run("doomed", "BEGIN");
  await run("doomed", "INSERT INTO item (id, name) VALUES (500, 'killed')");
  assert.equal((await run("doomed", "SELECT id FROM item")).in_transaction, true);
  victim.program.signal("SIGKILL");
  await victim[Symbol.asyncDispose]();

  await using host = new PluginHost(fixture.params);
  // what the transaction held is free again, and what it wrote is gone
  await until(async () => {
    const query = "INSERT INTO item (id, name) VALUES (500, 'free')";
    const fields = { query, limit: null, page: 1, schema: fixture.schema };
    return await host.ask("execute_query", fields).then(() => true, () => false);
  });
  const fields = { query: "SELECT id, name FROM item", limit: null, page: 1, schema: fixture.schema };
  assert.deepEqual(shapes.queryResult.parse(await host.ask("execute_query", fields)).rows, [[500, "free"]]);
  await runAll(host, fixture.cleanup, null);
  await host[Symbol.asyncDispose]();
  await fixture.dispose();
}

async function cancelled(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const fields = { query: fixture.slowQuery, limit: null, page: 1, schema: fixture.schema };
  const { id, answer } = host.begin("execute_query", fields);
  if (fixture.runningQueries) await until(async () => await fixture.runningQueries?.() === 1);
  await host.send({ jsonrpc: "2.0", method: "cancel", params: { id: 999_999 } });
  await host.send({ jsonrpc: "2.0", method: "cancel", params: { id } });
  await assert.rejects(answer, /cancel|interrupt|stopped/i);
  if (fixture.runningQueries) await until(async () => await fixture.runningQueries?.() === 0);
  assert.equal(await host.ask("ping"), null);
  assert.ok(Array.isArray(await ids(host, fixture)));
}

async function pipelined(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const slow = host.begin("execute_query", {
    query: fixture.slowQuery,
    limit: null,
    page: 1,
    schema: fixture.schema,
  });
  let isOver = false;
  slow.answer.catch(() => {}).finally(() => isOver = true);
  const answers = Array.from(
    { length: 200 },
    (_, index) =>
      index % 10 === 0
        ? host.ask("get_columns", { table: "item", schema: fixture.schema })
        : host.ask("ping"),
  );
  const results = await Promise.all(answers);
  assert.equal(isOver, false, "the slow query ended before the others were answered");
  assert.equal(results.filter((result) => result === null).length, 180);
  await host.send({ jsonrpc: "2.0", method: "cancel", params: { id: slow.id } });
  await assert.rejects(slow.answer);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!await holds()) {
    assert.ok(Date.now() < end, "the condition did not come true");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
