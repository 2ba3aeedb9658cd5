/**
 * Requests that no sane host sends: each is answered once, by a line that the host can read, and does no harm.
 */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { PATIENCE_MS } from "../../support/patience.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";
import { Program } from "../../support/program.ts";
import { makeFile } from "../../support/sqlite_file.ts";

Deno.test("ids of any size, reused ids and parameters of any shape are answered", async () => {
  await using file = await makeFile("CREATE TABLE t (a INTEGER)");
  await using program = new Program({ args: ["plugin"] });
  const params = JSON.stringify({ driver: "saber-sqlite", database: file.path });
  const answer = async () => await program.line(PATIENCE_MS) ?? "";
  const ask = async (line: string) => {
    await program.send(`${line}\n`);
    return await answer();
  };
  const ping = (id: string, params: string) =>
    `{"jsonrpc":"2.0","method":"ping","params":${params},"id":${id}}`;
  const big = "18446744073709551615";
  assert.equal(await ask(ping(big, `{"params":${params}}`)), `{"jsonrpc":"2.0","id":${big},"result":null}`);
  for (const [id, code] of [["1e400", -32600], ["1.5", -32600], ["[]", -32600], ["true", -32600]] as const) {
    const { id: none, error } = JSON.parse(await ask(ping(id, "{}")));
    assert.deepEqual([none, error.code], [null, code], id);
  }
  for (
    const odd of ["[]", '["x"]', '"x"', "7", '{"params":[]}', '{"params":"x"}', '{"params":{"port":{}}}']
  ) {
    const { id, error } = JSON.parse(await ask(ping("7", odd)));
    assert.deepEqual([id, error.code], [7, -32602], odd);
  }
  for (const port of [-1, 65_536, 1.5, "x", true, []]) {
    const { error } = JSON.parse(
      await ask(ping("7", JSON.stringify({ params: { driver: "saber-mysql", port } }))),
    );
    assert.equal(error.code, -32602, JSON.stringify(port));
    assert.match(error.message, /"port" .* 1 to 65535/);
  }
  const batch = JSON.parse(await ask(`[${ping("1", "{}")},${ping("2", "{}")}]`));
  assert.deepEqual([batch.id, batch.error.code], [null, -32600]);
  for (const method of ["__proto__", "constructor", "toString", ""]) {
    const { error, id } = JSON.parse(
      await ask(JSON.stringify({ jsonrpc: "2.0", method, params: {}, id: 8 })),
    );
    assert.deepEqual([id, error.code], [8, method === "" ? -32600 : -32601], method);
  }
  await program.send(`${ping("9", `{"params":${params}}`)}\n`.repeat(3));
  for (let at = 0; at < 3; at++) {
    assert.deepEqual(JSON.parse(await answer()), { jsonrpc: "2.0", id: 9, result: null });
  }
});

Deno.test("pages that there cannot be", async () => {
  await using file = await makeFile("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3)");
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const most = Number.MAX_SAFE_INTEGER;
  const rows = async (fields: Readonly<Record<string, unknown>>) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query: "SELECT a FROM t", ...fields })).rows;
  assert.deepEqual(await rows({ limit: 2, page: 0 }), [[1], [2]]);
  assert.deepEqual(await rows({ limit: 2, page: null }), [[1], [2]]);
  assert.deepEqual(await rows({ limit: most, page: 1 }), [[1], [2], [3]]);
  assert.deepEqual(await rows({ limit: 2, page: most }), []);
  assert.deepEqual(await rows({ limit: most, page: most }), []);
  assert.deepEqual(await rows({ limit: 0, page: most }), []);
  for (
    const bad of [{ page: -1 }, { page: 1.5 }, { page: 1e300 }, { page: "1" }, { limit: -1 }, { limit: "5" }]
  ) {
    const fields = { query: "SELECT a FROM t", limit: 2, page: 1, ...bad };
    assert.equal((await host.fails("execute_query", fields)).code, -32602, JSON.stringify(bad));
  }
});

Deno.test("names that look like SQL are names", async () => {
  const table = 'we"ird; DROP TABLE t --';
  await using file = await makeFile(
    `CREATE TABLE t (a INTEGER); CREATE TABLE "we""ird; DROP TABLE t --" ("a b" INTEGER PRIMARY KEY, "ü'\`[x]" TEXT)`,
  );
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const value = "x'); DROP TABLE t; --";
  assert.equal(await host.ask("insert_record", { table, data: { "a b": 1, "ü'`[x]": value } }), 1);
  const miss = { table, pk_map: { "a b": "1 OR 1=1" }, col_name: "ü'`[x]", new_val: "y" };
  assert.equal(await host.ask("update_record", miss), 0);
  const rows = { query: 'SELECT * FROM "we""ird; DROP TABLE t --"', limit: null, page: 1 };
  assert.deepEqual(shapes.queryResult.parse(await host.ask("execute_query", rows)).rows, [[1, value]]);
  assert.deepEqual(await host.ask("get_columns", { table: "t; DROP TABLE t" }), []);
  assert.equal((await host.fails("delete_record", { table, pk_map: { 'a" = 1 OR "a b': 1 } })).code, -32602);
});

Deno.test("SQLite's values of any class in columns of any type are found and written as they are", async () => {
  await using file = await makeFile(
    `CREATE TABLE t (v, j JSON, n INTEGER);
     INSERT INTO t VALUES (9007199254740993, 'no json', 1), ('9007199254740993', NULL, 2), (9e999, '[1]', 3),
       (CAST('Infinity' AS TEXT), '"x"', 4)`,
  );
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const rows = async (query: string) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: null, page: 1 })).rows;
  const before = await rows("SELECT typeof(v), v, j, n FROM t ORDER BY n");
  for (const [, v, j, n] of before) {
    const shown = { table: "t", pk_map: { v, j, n } };
    assert.equal(await host.ask("update_record", { ...shown, col_name: "v", new_val: v }), 1, String(n));
    assert.equal(await host.ask("update_record", { ...shown, col_name: "n", new_val: n }), 1, String(n));
  }
  assert.deepEqual(await rows("SELECT typeof(v), v, j, n FROM t ORDER BY n"), before);
  const bad = { table: "t", pk_map: { n: 1 }, col_name: "j", new_val: "still none" };
  assert.equal((await host.fails("update_record", bad)).code, -32602);
});

Deno.test("words and numbers in SQLite's columns of booleans are found as they stand there", async () => {
  await using file = await makeFile(
    "CREATE TABLE t (b BOOLEAN, n INT); INSERT INTO t VALUES ('yes', 0), ('true', 0), (1, 0), ('1', 0), (0, 0), ('F', 0), (7.5, 0)",
  );
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const rows = async (query: string) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: null, page: 1 })).rows;
  for (const [b] of await rows("SELECT DISTINCT b FROM t WHERE b <> 1")) {
    const found = { table: "t", pk_map: { b, n: 0 }, col_name: "n", new_val: 1 };
    assert.equal(await host.ask("update_record", found), 1, String(b));
  }
  const words = { table: "t", pk_map: { b: "yes" }, col_name: "b", new_val: "no" };
  assert.equal(await host.ask("update_record", words), 1);
  assert.deepEqual(await rows("SELECT typeof(b), b, n FROM t ORDER BY rowid"), [
    ["integer", 0, 1],
    ["text", "true", 1],
    ["integer", 1, 0],
    ["integer", 1, 0],
    ["integer", 0, 1],
    ["text", "F", 1],
    ["real", 7.5, 1],
  ]);
});

Deno.test("numbers in lists and structs that are typed as text keep their digits", async () => {
  const folder = await Deno.makeTempDir();
  const database = `${folder}/test.duckdb`;
  (await DuckDBInstance.create(database)).closeSync();
  await using host = new PluginHost({ driver: "saber-duckdb", database });
  const run = async (query: string) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: null, page: 1 })).rows;
  await run("CREATE TABLE t (id INTEGER PRIMARY KEY, l BIGINT[], s STRUCT(n DECIMAL(20, 2), d DOUBLE))");
  const data = { id: 1, l: "[9007199254740993, 1]", s: '{"n": 12345678901234567.80, "d": 1e2}' };
  assert.equal(await host.ask("insert_record", { table: "t", data }), 1);
  assert.deepEqual(await run("SELECT l, s FROM t"), [[["9007199254740993", 1], {
    n: "12345678901234567.80",
    d: 100,
  }]]);
  await host[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});
