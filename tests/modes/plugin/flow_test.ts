/**
 * What flows through `saber plugin`: requests while nobody reads the answers, answers that would be too large, connections that
 * die, and what is left of a tab that nobody touches.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PATIENCE_MS } from "../../support/patience.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";
import { Program } from "../../support/program.ts";
import { makeFile } from "../../support/sqlite_file.ts";

const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

Deno.test("stdin is read while nobody reads stdout", async () => {
  await using file = await makeFile("CREATE TABLE t (a TEXT)");
  await using program = new Program({ args: ["plugin"] });
  const params = { driver: "saber-sqlite", database: file.path };
  const large = "SELECT printf('%.*c', 1000000, 'x') AS x FROM generate_series(1, 20)";
  for (let id = 1; id <= 5; id++) {
    await program.send(
      request(id, "execute_query", { params, query: large, limit: null, page: 1, schema: null }),
    );
  }
  // far more than the pipe holds; each send settles when the program has taken it
  const padding = "p".repeat(100_000);
  for (let id = 6; id <= 105; id++) await program.send(request(id, "ping", { params, padding }));
  const seen = new Set<unknown>();
  while (seen.size < 105) seen.add(JSON.parse(await program.line(PATIENCE_MS) ?? "null").id);
});

Deno.test("an answer has a largest size, and says that more is there", async () => {
  await using file = await makeFile("CREATE TABLE t (a TEXT)");
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  await host.ask("initialize", { settings: { maxResponseMiB: 1 } });
  const query = "SELECT printf('%.*c', 300000, 'x') AS x FROM (VALUES (1), (2), (3), (4), (5), (6))";
  const all = shapes.queryResult.parse(
    await host.ask("execute_query", { query, limit: null, page: 1, schema: null }),
  );
  assert.equal(all.rows.length, 3);
  assert.equal(all.truncated, true);
  assert.ok(
    all.rows.every(([text]) => typeof text === "string" && text.length === 300_000),
    "text is never cut",
  );
  const page = shapes.queryResult.parse(
    await host.ask("execute_query", { query, limit: 5, page: 1, schema: null }),
  );
  assert.deepEqual([page.rows.length, page.pagination?.has_more], [3, true]);
  const one = "SELECT printf('%.*c', 3000000, 'x') AS x";
  const single = shapes.queryResult.parse(
    await host.ask("execute_query", { query: one, limit: 5, page: 1, schema: null }),
  );
  assert.deepEqual([single.rows.length, single.truncated], [1, false]);
});

Deno.test("a statement that changes data is not run again for another page", async () => {
  await using file = await makeFile("CREATE TABLE t (a INTEGER)");
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const run = async (query: string, page: number) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: 2, page, schema: null }));
  const insert = "INSERT INTO t VALUES (1), (2), (3) RETURNING a";
  const first = await run(insert, 1);
  assert.deepEqual([first.rows, first.truncated, first.affected_rows], [[[1], [2], [3]], false, 3]);
  await host.fails("execute_query", { query: insert, limit: 2, page: 2, schema: null });
  assert.deepEqual((await run("SELECT count(*) FROM t", 1)).rows, [[3]]);
  assert.deepEqual((await run("PRAGMA table_info(t)", 2)).rows, []);
  assert.deepEqual((await run("VALUES (1), (2), (3)", 2)).rows, [[3]]);
});

Deno.test("the program ends soon when the host is gone, whatever runs", async () => {
  await using file = await makeFile("CREATE TABLE t (a INTEGER)");
  await using program = new Program({ args: ["plugin"] });
  const query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  const params = { driver: "saber-sqlite", database: file.path };
  await program.send(request(1, "execute_query", { params, query, limit: null, page: 1, schema: null }));
  await program.send(request(2, "ping", { params }));
  await program.line(PATIENCE_MS);
  await program.endInput();
  assert.equal((await program.exit).code, 0);
});

Deno.test("an index on an expression is told by the expression", async () => {
  await using file = await makeFile(
    "CREATE TABLE t (a TEXT, b INTEGER); CREATE INDEX i ON t (lower(a) DESC, b)",
  );
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const indexes = z.array(shapes.index).parse(await host.ask("get_indexes", { table: "t", schema: null }));
  assert.deepEqual(indexes.map(({ column_name, is_expression }) => [column_name, is_expression]), [
    ["lower(a)", true],
    ["b", false],
  ]);
});

Deno.test("a read-only setting is kept by SQLite itself", async () => {
  await using file = await makeFile("CREATE TABLE t (a INTEGER)");
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  await host.ask("initialize", { settings: { readOnly: true } });
  assert.deepEqual(await host.ask("get_connection_metadata"), { capabilities: { readonly: true } });
  const fields = { query: "INSERT INTO t VALUES (1)", limit: null, page: 1, schema: null };
  assert.match((await host.fails("execute_query", fields)).message, /readonly/);
  assert.match(
    (await host.fails("insert_record", { table: "t", data: { a: 1 }, schema: null })).message,
    /readonly/,
  );
});
