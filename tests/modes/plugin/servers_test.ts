/**
 * What `saber plugin` does with servers alone: encryption in both vocabularies, tunnels, connections that the server ends.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { sharedMariadb } from "../../support/mariadb_server.ts";
import { mariadbForm, postgresForm } from "../../support/plugin_forms.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";
import { createDatabase } from "../../support/postgres_database.ts";
import { ADMIN, adminClient, sharedPostgres, TLS_FILES } from "../../support/postgres_server.ts";

const postgres = await sharedPostgres(18);
const mariadb = await sharedMariadb();

const POSTGRES = postgresForm(postgres, "shop");
const MARIADB = mariadbForm(mariadb);
const CA = `${TLS_FILES}ca.crt`;

/** The one value that a query gives on a connection of these fields. */
async function value(
  host: PluginHost,
  params: Readonly<Record<string, unknown>>,
  query: string,
): Promise<unknown> {
  const fields = { params, query, limit: null, page: 1, schema: null };
  return shapes.queryResult.parse(await host.ask("execute_query", fields)).rows[0]?.[0];
}

Deno.test("saber plugin encrypts PostgreSQL connections as the form says", async () => {
  await using host = new PluginHost(POSTGRES);
  const isEncrypted = (more: Readonly<Record<string, unknown>>) =>
    value(host, { ...POSTGRES, ...more }, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
  assert.equal(await isEncrypted({}), true);
  assert.equal(await isEncrypted({ ssl_mode: "" }), true);
  for (const ssl_mode of ["disable", "disabled"]) assert.equal(await isEncrypted({ ssl_mode }), false);
  for (const ssl_mode of ["allow", "prefer", "preferred", "require", "REQUIRED"]) {
    assert.equal(await isEncrypted({ ssl_mode }), true, ssl_mode);
  }
  for (const ssl_mode of ["verify-ca", "verify_ca"]) {
    assert.equal(await isEncrypted({ ssl_mode, ssl_ca: CA }), true);
  }
  assert.equal(await isEncrypted({ host: "localhost", ssl_mode: "verify-full", ssl_ca: CA }), true);
  // the end of a tunnel: the certificate is for another name than the host's
  const tunnel = { ssl_mode: "verify_identity", ssl_ca: CA };
  await assert.rejects(isEncrypted(tunnel), /certificate is for another name/);
  assert.equal(await isEncrypted({ ...tunnel, extra: { tls_server_name: "localhost" } }), true);
  await assert.rejects(isEncrypted({ ssl_mode: "verify-ca" }), /needs a certificate authority/);
  const unknown = await host.fails("ping", { params: { ...POSTGRES, ssl_mode: "perhaps" } });
  assert.equal(unknown.code, -32602);
  assert.match(unknown.message, /verify-full/);
  await assert.rejects(isEncrypted({ ssl_mode: "require", ssl_cert: CA }), /key is missing/);
});

Deno.test("saber plugin encrypts MariaDB connections as the form says", async () => {
  await using host = new PluginHost(MARIADB);
  const cipher =
    "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'";
  const isEncrypted = (more: Readonly<Record<string, unknown>>) =>
    value(host, { ...MARIADB, ...more }, cipher);
  for (const ssl_mode of ["disable", "DISABLED"]) assert.equal(await isEncrypted({ ssl_mode }), 0);
  for (const ssl_mode of [null, "preferred", "required", "require"]) {
    assert.equal(await isEncrypted({ ssl_mode }), 1);
  }
  assert.equal(await isEncrypted({ ssl_mode: "verify_ca", ssl_ca: CA }), 1);
  assert.equal(await isEncrypted({ host: "localhost", ssl_mode: "verify_identity", ssl_ca: CA }), 1);
  await assert.rejects(isEncrypted({ ssl_mode: "verify-ca" }), /needs a certificate authority/);
});

Deno.test("saber plugin reads the form: several hosts, a URL, a startup script, wrong passwords", async () => {
  await using host = new PluginHost(POSTGRES);
  const two = { ...POSTGRES, host: `127.0.0.1:1,127.0.0.1:${postgres.port}` };
  assert.equal(await value(host, two, "SELECT 1"), 1);
  const password = encodeURIComponent(ADMIN.password);
  const connection_uri =
    `postgresql://${ADMIN.user}:${password}@127.0.0.1:${postgres.port}/shop?sslmode=disable`;
  assert.equal(
    await value(host, { driver: "saber-postgres", connection_uri }, "SELECT current_database()"),
    "shop",
  );
  const started = { ...POSTGRES, startup_script: "SET application_name = 'started'; SET work_mem = '5MB'" };
  assert.equal(await value(host, started, "SELECT current_setting('work_mem')"), "5MB");
  const failing = { params: { ...POSTGRES, startup_script: "SELEC" } };
  assert.match((await host.fails("test_connection", failing)).message, /^Startup script failed: .*SELEC/);
  const wrong = { params: { ...POSTGRES, password: "wrong" } };
  assert.match((await host.fails("test_connection", wrong)).message, /28P01/);
  assert.deepEqual(await host.ask("test_connection"), { success: true });
  assert.deepEqual(
    await host.ask("test_connection", { params: { ...POSTGRES, database: ["shop", "postgres"] } }),
    { success: true },
  );
});

Deno.test("saber plugin gives PostgreSQL the options of the form and of the URL", async () => {
  await using host = new PluginHost(POSTGRES);
  const options = "-c work_mem=3MB -c statement_timeout=4321";
  const setting = (params: Readonly<Record<string, unknown>>, name: string) =>
    value(host, params, `SELECT current_setting('${name}')`);
  const form = { ...POSTGRES, extra: { options, application_name: "mine" } };
  // every run begins as the first did
  for (let turn = 0; turn < 3; turn++) {
    assert.equal(await setting(form, "work_mem"), "3MB");
    assert.equal(await setting(form, "statement_timeout"), "4321ms");
    assert.equal(await setting(form, "application_name"), "mine");
  }
  const url = (query: string) => ({
    driver: "saber-postgres",
    connection_uri: `postgresql://${ADMIN.user}:${
      encodeURIComponent(ADMIN.password)
    }@127.0.0.1:${postgres.port}/shop?${query}`,
  });
  const both = url(`options=${encodeURIComponent(options)}&sslmode=disable&application_name=theirs`);
  assert.equal(await setting(both, "work_mem"), "3MB");
  assert.equal(await setting(both, "application_name"), "theirs");
  const wrong = { ...POSTGRES, extra: { options: "-c no_such_setting=1" } };
  assert.match((await host.fails("test_connection", { params: wrong })).message, /no_such_setting.*42704/s);

  for (const kind of ["any", "read-write", "primary", "prefer-standby"]) {
    assert.equal(await setting(url(`target_session_attrs=${kind}`), "work_mem"), "4MB", kind);
  }
  for (const kind of ["read-only", "standby"]) {
    const params = url(`target_session_attrs=${kind}`);
    assert.match((await host.fails("ping", { params })).message, new RegExp(`wants, ${kind}`));
  }
  const reading = url(
    `target_session_attrs=read-only&options=${encodeURIComponent("-c default_transaction_read_only=on")}`,
  );
  assert.equal(await setting(reading, "transaction_read_only"), "on");
  assert.equal((await host.fails("ping", { params: url("target_session_attrs=best") })).code, -32602);
});

Deno.test("moments are shown in the zone that was chosen, and taken back in it", async () => {
  const database = await createDatabase(postgres, [
    "CREATE TABLE t (id integer PRIMARY KEY, at timestamptz)",
  ]);
  const inBerlin = { ...POSTGRES, database: database.name, extra: { time_zone: "Europe/Berlin" } };
  const bySession = {
    ...POSTGRES,
    database: database.name,
    extra: { options: "-c TimeZone=Asia/Kolkata" },
  };
  await using host = new PluginHost(inBerlin);
  const write = async (params: Readonly<Record<string, unknown>>, at: string) => {
    await host.ask("delete_record", { params, table: "t", pk_map: { id: 1 }, schema: null });
    return await host.ask("insert_record", { params, table: "t", data: { id: 1, at }, schema: null });
  };
  const show = async (params: Readonly<Record<string, unknown>>) =>
    await value(host, params, "SELECT at FROM t");
  await write(inBerlin, "2024-07-01 12:00:00");
  assert.equal(await show(inBerlin), "2024-07-01 12:00:00+02");
  assert.equal(await show(bySession), "2024-07-01 10:00:00+00");
  await host.ask("initialize", { settings: { timestamptzZone: "session" } });
  const other = { ...bySession, connection_id: "another" };
  assert.equal(await show(other), "2024-07-01 15:30:00+05:30");
  // hosts write back what they show without its zone
  await write(other, "2024-07-01 15:30:00");
  assert.equal(await show(inBerlin), "2024-07-01 12:00:00+02");
  await host[Symbol.asyncDispose]();
  await database.drop();
});

Deno.test("a connection that the server ends is told of, and the tab works again", async () => {
  await using host = new PluginHost(POSTGRES);
  const run = async (query: string) =>
    shapes.sessionResult.parse(
      await host.ask("execute_query", { query, limit: 10, page: 1, schema: null, session_id: "tab" }),
    );
  await run("BEGIN");
  const { result } = await run("SELECT pg_backend_pid()");
  const admin = adminClient(postgres);
  await admin`SELECT pg_terminate_backend(${Number(result.rows[0]?.[0])}, 10000)`;
  await admin.end();
  await assert.rejects(run("SELECT 1"), /lost; the open transaction was rolled back/);
  assert.deepEqual(await run("SELECT 1"), {
    result: {
      columns: ["?column?"],
      rows: [[1]],
      affected_rows: 0,
      truncated: false,
      pagination: { page: 1, page_size: 10, total_rows: null, has_more: false },
    },
    in_transaction: false,
  });
});

Deno.test("materialized views are listed, told and refreshed", async () => {
  const database = await createDatabase(postgres, [
    "CREATE TABLE t (a integer)",
    "CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t",
    "INSERT INTO t VALUES (1), (2)",
  ]);
  await using host = new PluginHost({ ...POSTGRES, database: database.name });
  const view = { view_name: "m", schema: "public" };
  const list = z.array(shapes.viewInfo).parse(await host.ask("get_materialized_views", { schema: "public" }));
  assert.deepEqual(list, [{ name: "m", definition: null }]);
  const columns = z.array(shapes.tableColumn).parse(await host.ask("get_materialized_view_columns", view));
  assert.deepEqual(columns.map(({ name, data_type }) => [name, data_type]), [["n", "bigint"]]);
  assert.match(
    String(await host.ask("get_materialized_view_definition", view)),
    /^CREATE MATERIALIZED VIEW public\.m AS/,
  );
  const count = () => value(host, { ...POSTGRES, database: database.name }, "SELECT n FROM m");
  assert.equal(await count(), 0);
  assert.equal(await host.ask("refresh_materialized_view", view), null);
  assert.equal(await count(), 2);
  await host[Symbol.asyncDispose]();
  await database.drop();
});

Deno.test("hstore is an object, and comes back as it was", async () => {
  const pairs = { a: "1", 'q"\\': ' => , "x"', n: null, e: "", b: "BLOB:1:application/octet-stream:AA==" };
  const database = await createDatabase(postgres, [
    "CREATE EXTENSION hstore",
    "CREATE TABLE t (id integer PRIMARY KEY, h hstore, hs hstore[])",
  ]);
  await using host = new PluginHost({ ...POSTGRES, database: database.name });
  const data = { id: 1, h: pairs, hs: [{ a: "1" }, null, pairs] };
  assert.equal(await host.ask("insert_record", { table: "t", data, schema: null }), 1);
  const rows = async (query: string) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: null, page: 1 })).rows;
  assert.deepEqual(await rows("SELECT h, hs FROM t"), [[pairs, data.hs]]);
  assert.deepEqual(await rows("SELECT h->'q\"\\', h->'n', h ? 'n' FROM t"), [[pairs['q"\\'], null, true]]);
  const found = { table: "t", pk_map: { h: pairs, hs: data.hs }, col_name: "h", new_val: {}, schema: null };
  assert.equal(await host.ask("update_record", found), 1);
  assert.deepEqual(await rows("SELECT h FROM t"), [[{}]]);
  await host[Symbol.asyncDispose]();
  await database.drop();
});

Deno.test("every result of a procedure is shown", async () => {
  await using host = new PluginHost(MARIADB);
  const name = `several_${crypto.randomUUID().slice(0, 8)}`;
  const run = async (query: string, fields: Readonly<Record<string, unknown>> = {}) =>
    await host.ask("execute_query", { query, limit: 2, page: 1, schema: null, ...fields });
  const shown = (sent: unknown) => {
    const { columns, rows } = shapes.queryResult.parse(sent);
    return [columns, rows];
  };
  await run(`CREATE PROCEDURE ${name}() BEGIN
    SELECT 1 AS a WHERE 1 = 0; SELECT 2 AS b, 9007199254740993 AS b UNION ALL SELECT 3, NULL UNION ALL SELECT 4, 5; DO 1; SELECT 'x' AS c;
  END`);
  const expected = [[["b", "b"], [[2, "9007199254740993"], [3, null], [4, 5]]], [["c"], [["x"]]]];
  const called = shapes.queryResult.parse(await run(`CALL ${name}()`));
  assert.deepEqual(shown(called), [["a"], []]);
  assert.deepEqual(called.additional_results?.map(shown), expected);
  await run("BEGIN", { session_id: "tab" });
  const { result, in_transaction } = shapes.sessionResult.parse(
    await run(`CALL ${name}()`, { session_id: "tab" }),
  );
  assert.deepEqual([result.additional_results?.map(shown), in_transaction], [expected, true]);
  await host.ask("release_session", { session_id: "tab" });
  await run(`DROP PROCEDURE ${name}`);
});

Deno.test("what a run sets is gone with it, and a schema holds for one run", async () => {
  await using host = new PluginHost(POSTGRES);
  const run = async (query: string, schema: string | null = null) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: null, page: 1, schema })).rows;
  await run("SET work_mem = '7MB'");
  for (let turn = 0; turn < 5; turn++) assert.notDeepEqual(await run("SHOW work_mem"), [["7MB"]]);
  assert.deepEqual(await run("SHOW search_path", "pg_catalog"), [["pg_catalog, public"]]);
  assert.notDeepEqual(await run("SHOW search_path"), [["pg_catalog, public"]]);
  const read = {
    params: { ...POSTGRES },
    query: "CREATE TABLE x (a integer)",
    limit: null,
    page: 1,
    schema: null,
  };
  await using readOnly = new PluginHost(POSTGRES);
  await readOnly.ask("initialize", { settings: { readOnly: "true" } });
  assert.match((await readOnly.fails("execute_query", read)).message, /25006/);
});
