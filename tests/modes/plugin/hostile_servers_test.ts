/**
 * What no sane host asks of servers and shared files: each answer is whole, and no failure says more than it should.
 */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { postgresForm } from "../../support/plugin_forms.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";
import { createDatabase } from "../../support/postgres_database.ts";
import { adminClient, sharedPostgres } from "../../support/postgres_server.ts";

const server = await sharedPostgres(18);
const SCHEMA = `a"b'\\ ü;--`;
const QUOTED = `"a""b'\\ ü;--"`;

async function withDatabase(
  setup: readonly string[],
  test: (host: PluginHost, database: string) => Promise<void>,
): Promise<void> {
  const { name, drop } = await createDatabase(server, setup);
  try {
    await using host = new PluginHost(postgresForm(server, name));
    await test(host, name);
  } finally {
    await drop();
  }
}

async function run(host: PluginHost, query: string, fields: Readonly<Record<string, unknown>> = {}) {
  return shapes.queryResult.parse(
    await host.ask("execute_query", { query, limit: 100, page: 1, schema: null, ...fields }),
  );
}

Deno.test("schemas and tables of any name are listed, described and changed", () =>
  withDatabase([
    `CREATE SCHEMA ${QUOTED}`,
    `CREATE TABLE ${QUOTED}."t'x" (id integer PRIMARY KEY, "q""c" text)`,
  ], async (
    host,
  ) => {
    const table = { table: "t'x", schema: SCHEMA };
    assert.deepEqual(await host.ask("get_schemas"), [SCHEMA, "public"]);
    assert.deepEqual(await host.ask("get_tables", { schema: SCHEMA }), [{ name: "t'x", comment: null }]);
    assert.equal(await host.ask("insert_record", { ...table, data: { id: 1, 'q"c': "v'" } }), 1);
    assert.deepEqual((await run(host, `SELECT * FROM "t'x"`, { schema: SCHEMA })).rows, [[1, "v'"]]);
    const text = String(await host.ask("get_table_ddl", table));
    await run(host, `DROP TABLE ${QUOTED}."t'x"`);
    await run(host, text, { limit: null });
    assert.equal(await host.ask("get_table_ddl", table), text);
    const view = { view_name: 'v"w', schema: SCHEMA };
    assert.equal(await host.ask("create_view", { ...view, definition: "SELECT 1 AS a" }), null);
    assert.deepEqual(await host.ask("get_views", { schema: SCHEMA }), [{ name: 'v"w', definition: null }]);
    assert.equal(await host.ask("drop_view", view), null);
    for (const name of ["a\0b", "\ud800"]) {
      const { message } = await host.fails("get_table_ddl", { table: name, schema: null });
      assert.match(message, /^Cannot /);
    }
  }));

Deno.test("rows of no columns, of as many as there can be, and of huge cells come whole", () =>
  withDatabase(["CREATE TABLE nothing ()", "INSERT INTO nothing DEFAULT VALUES"], async (host) => {
    const none = await run(host, "SELECT * FROM nothing");
    assert.deepEqual([none.columns, none.rows, none.pagination], [[], [], null]);
    const numbers = Array.from({ length: 1600 }, (_, at) => at);
    const wide = await run(host, `SELECT ${numbers.map((at) => `${at} AS c${at}`).join(",")}`);
    assert.deepEqual([wide.columns.length, wide.rows], [1600, [numbers]]);
    const size = 10 << 20;
    const huge = await run(
      host,
      `SELECT repeat('x', ${size}) AS t, decode(repeat('00', ${size}), 'hex') AS b`,
    );
    const [[text, bytes] = []] = huge.rows;
    assert.equal(String(text).length, size);
    assert.match(String(bytes), new RegExp(`^BLOB:${size}:application/octet-stream:`));
    assert.ok(String(bytes).length < 10_000);
    assert.deepEqual(await host.ask("ping"), null);
  }));

Deno.test("a statement that makes a table of rows is not run for another page", () =>
  withDatabase(["CREATE TABLE t AS SELECT 1 AS a"], async (host) => {
    const fields = { query: "SELECT a INTO u FROM t", limit: 10, page: 2, schema: null };
    assert.match((await host.fails("execute_query", fields)).message, /not run again/);
    assert.deepEqual(await host.ask("get_tables", { schema: null }), [{ name: "t", comment: null }]);
  }));

Deno.test("a password that changes between calls is told of, and the new one works at once", () =>
  withDatabase([], async (host, database) => {
    const role = `plugin_${crypto.randomUUID().slice(0, 8)}`;
    const admin = adminClient(server);
    await admin.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'the first'`);
    const as = (password: string) => ({ params: { ...host.params, username: role, password, database } });
    assert.deepEqual(await host.ask("test_connection", as("the first")), { success: true });
    await admin.unsafe(`ALTER ROLE ${role} PASSWORD 'the second'`);
    await admin`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = ${role}`;
    const { code, message } = await host.fails("test_connection", as("the first"));
    assert.equal(code, -32603);
    assert.match(message, /28P01/);
    assert.doesNotMatch(message, /the first|:\/\/|\n\s+at /);
    assert.deepEqual(await host.ask("test_connection", as("the second")), { success: true });
    await host[Symbol.asyncDispose]();
    await admin.unsafe(`DROP ROLE ${role}`);
    await admin.end();
  }));

Deno.test("two connections share one DuckDB file; another program is told who holds it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-plugin-shared-" });
  const database = `${folder}/test.duckdb`;
  (await DuckDBInstance.create(database)).closeSync();
  const params = { driver: "saber-duckdb", database, connection_id: "one" };
  const other = { params: { ...params, connection_id: "two" } };
  {
    await using host = new PluginHost(params);
    await run(host, "CREATE TABLE t (a INTEGER)");
    await run(host, "INSERT INTO t VALUES (1)", other);
    const tab = { query: "BEGIN", limit: 10, page: 1, schema: null, session_id: "tab" };
    await host.ask("execute_query", tab);
    await host.ask("execute_query", { ...tab, query: "INSERT INTO t VALUES (2)" });
    assert.deepEqual((await run(host, "SELECT a FROM t", other)).rows, [[1]]);
    await host.ask("execute_query", { ...tab, query: "COMMIT" });
    assert.deepEqual((await run(host, "SELECT a FROM t ORDER BY a", other)).rows, [[1], [2]]);
    await using second = new PluginHost(params);
    const { code, message } = await second.fails("test_connection");
    assert.equal(code, -32603);
    assert.match(message, /^Cannot open test\.duckdb: another program has it open for writing\. .*PID \d+/s);
  }
  await Deno.remove(folder, { recursive: true });
});
