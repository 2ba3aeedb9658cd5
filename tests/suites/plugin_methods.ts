/**
 * The method table of the host, on one engine: every answer has the shape that the host decodes, and says what is there.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PluginHost } from "../support/plugin_host.ts";
import * as shapes from "../support/plugin_shapes.ts";
import { type PluginFixture, runAll } from "./plugin_fixture.ts";

export function pluginMethods(engine: string, make: () => Promise<PluginFixture>): void {
  Deno.test(`saber plugin on ${engine} answers the method table`, async (t) => {
    const fixture = await make();
    await using host = new PluginHost(fixture.params);
    const { schema } = fixture;
    try {
      await runAll(host, fixture.create, null);
      await runAll(host, fixture.setup, schema);
      await t.step("connections", () => connections(host));
      await t.step("tables", () => tables(host, fixture));
      await t.step("views, routines and triggers", () => objects(host, fixture));
      await t.step("many tables at once", () => batches(host, schema));
      await t.step("queries and pages", () => queries(host, schema));
    } finally {
      await runAll(host, fixture.cleanup, null);
      await fixture.dispose();
    }
  });
}

async function connections(host: PluginHost): Promise<void> {
  assert.equal(
    await host.ask("initialize", { settings: { poolMaxSize: "6", statementTimeoutSeconds: null } }),
    null,
  );
  assert.deepEqual(await host.ask("test_connection"), { success: true });
  assert.equal(await host.ask("ping"), null);
  z.array(z.string()).check(z.minLength(1)).parse(await host.ask("get_databases"));
  z.array(z.string()).parse(await host.ask("get_schemas"));
  assert.equal((await host.fails("no_such_method")).code, -32601);
  assert.equal((await host.fails("no_such_method")).message, "Method not found: no_such_method");
  assert.equal((await host.fails("get_columns", { table: 7 })).code, -32602);
}

async function tables(host: PluginHost, { schema, has }: PluginFixture): Promise<void> {
  const list = z.array(shapes.tableInfo).parse(await host.ask("get_tables", { schema }));
  for (const table of ["item", "part"]) {
    assert.ok(list.some(({ name }) => name === table), `${table} is not listed`);
  }
  assert.ok(!list.some(({ name }) => name === "seen"), "a view is listed as a table");

  const item = z.array(shapes.tableColumn).parse(await host.ask("get_columns", { schema, table: "item" }));
  assert.deepEqual(item.map(({ name, is_pk }) => [name, is_pk]), [["id", true], ["name", false]]);
  assert.equal(item[1]?.is_nullable, false);
  assert.match(item[1]?.default_value ?? "", /none/);
  const part = z.array(shapes.tableColumn).parse(await host.ask("get_columns", { schema, table: "part" }));
  assert.deepEqual(part.map(({ name, is_pk }) => [name, is_pk]), [["a", true], ["b", true], [
    "item_id",
    false,
  ]]);

  const keys = z.array(shapes.foreignKey).parse(
    await host.ask("get_foreign_keys", { schema, table: "part" }),
  );
  assert.equal(keys.length, 1);
  const [key] = keys;
  assert.deepEqual([key?.column_name, key?.ref_table, key?.ref_column], ["item_id", "item", "id"]);
  if (has.foreignKeyNames) assert.equal(key?.name, "part_item");

  const indexes = z.array(shapes.index).parse(await host.ask("get_indexes", { schema, table: "part" }));
  const primary = indexes.filter(({ is_primary }) => is_primary);
  assert.deepEqual(primary.map(({ column_name, seq_in_index }) => [column_name, seq_in_index]), [["a", 1], [
    "b",
    2,
  ]]);
  const own = indexes.find(({ name }) => name === "part_b");
  assert.deepEqual([own?.column_name, own?.is_unique, own?.is_primary], ["b", false, false]);
  const ddl = z.string().parse(await host.ask("get_table_ddl", { schema, table: "part" }));
  assert.match(ddl, /create table[^]*part[^]*item_id[^]*;\s*$/i);
}

async function objects(host: PluginHost, { schema, has }: PluginFixture): Promise<void> {
  const views = z.array(shapes.viewInfo).parse(await host.ask("get_views", { schema }));
  assert.ok(views.some(({ name }) => name === "seen"));
  const columns = z.array(shapes.tableColumn).parse(
    await host.ask("get_view_columns", { schema, view_name: "seen" }),
  );
  assert.deepEqual(columns.map(({ name }) => name), ["id", "name"]);
  const text = z.string().parse(await host.ask("get_view_definition", { schema, view: "seen" }));
  assert.match(text, /^create [^]*view[^]*seen[^]*item/i);
  z.array(shapes.viewInfo).parse(await host.ask("get_materialized_views", { schema }));

  const routines = z.array(shapes.routineInfo).parse(await host.ask("get_routines", { schema }));
  if (has.routines) {
    const routine = routines.find(({ name }) => name === "twice");
    assert.equal(routine?.routine_type, "FUNCTION");
    const asked = { schema, routine_name: "twice", routine_type: "FUNCTION" };
    const parameters = z.array(shapes.routineParameter).parse(
      await host.ask("get_routine_parameters", asked),
    );
    const [out, first] = parameters.toSorted((a, b) => a.ordinal_position - b.ordinal_position);
    assert.deepEqual([out?.name, out?.mode, out?.ordinal_position], ["", "OUT", 0]);
    assert.deepEqual([first?.name, first?.mode, first?.ordinal_position], ["n", "IN", 1]);
    assert.match(z.string().parse(await host.ask("get_routine_definition", asked)), /twice/);
    assert.match(z.string().parse(await host.ask("get_routine_edit_script", asked)), /create [^]*twice/i);
  }
  const triggers = z.array(shapes.triggerInfo).parse(await host.ask("get_triggers", { schema }));
  if (has.triggers) {
    const trigger = triggers.find(({ name }) => name === "watch");
    assert.deepEqual([trigger?.table_name, trigger?.event, trigger?.timing], ["item", "UPDATE", "AFTER"]);
    const asked = { schema, trigger_name: "watch", table_name: "item" };
    assert.match(z.string().parse(await host.ask("get_trigger_definition", asked)), /watch/);
  }
}

async function batches(host: PluginHost, schema: string | null): Promise<void> {
  const snapshot = z.array(shapes.tableSchema).parse(await host.ask("get_schema_snapshot", { schema }));
  const names = snapshot.map(({ name }) => name);
  assert.ok(names.includes("item") && names.includes("part"));
  const columns = z.record(z.string(), z.array(shapes.tableColumn))
    .parse(await host.ask("get_all_columns_batch", { schema }));
  assert.deepEqual(columns.item?.map(({ name }) => name), ["id", "name"]);
  const keys = z.record(z.string(), z.array(shapes.foreignKey))
    .parse(await host.ask("get_all_foreign_keys_batch", { schema }));
  assert.deepEqual(keys.item, []);
  assert.equal(keys.part?.length, 1);
  const context = z.strictObject({ tables: z.array(shapes.tableSchema), total_table_count: z.int() })
    .parse(await host.ask("get_ai_schema_context", { schema, max_tables: 1 }));
  assert.equal(context.tables.length, 1);
  assert.equal(context.total_table_count, names.length);
}

async function queries(host: PluginHost, schema: string | null): Promise<void> {
  const run = async (query: string, fields: Readonly<Record<string, unknown>> = {}) =>
    shapes.queryResult.parse(
      await host.ask("execute_query", { query, limit: 2, page: 1, schema, ...fields }),
    );
  const inserted = await run(
    "INSERT INTO item (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')",
  );
  assert.deepEqual([inserted.columns, inserted.rows, inserted.affected_rows], [[], [], 5]);
  assert.equal(inserted.pagination, null);

  const ids = "SELECT id FROM item ORDER BY id";
  const pages = [
    await run(ids),
    await run(ids, { page: 2 }),
    await run(ids, { page: 3 }),
    await run(ids, { page: 4 }),
  ];
  assert.deepEqual(pages.map(({ rows }) => rows), [[[1], [2]], [[3], [4]], [[5]], []]);
  assert.deepEqual(pages.map(({ truncated }) => truncated), [true, true, false, false]);
  assert.deepEqual(pages[0]?.pagination, { page: 1, page_size: 2, total_rows: null, has_more: true });
  const own = await run(`${ids} LIMIT 3 OFFSET 1 -- three of them`, { page: 2 });
  assert.deepEqual([own.rows, own.truncated], [[[4]], false]);
  assert.equal((await run(ids, { limit: null })).pagination, null);
  assert.equal((await run(ids, { limit: null })).rows.length, 5);
  assert.deepEqual((await run(ids, { limit: 0 })).rows, []);
  const counted = await run(`SELECT COUNT(*) FROM (${ids}) as count_wrapper`, { limit: null });
  assert.deepEqual(counted.rows, [[5]]);
  assert.deepEqual((await run("SELECT 1 AS a, 2 AS a WHERE 1 = 0")).columns, ["a", "a"]);
  assert.deepEqual((await run("SELECT 1 AS x; SELECT 2 AS y")).additional_results?.length, 1);

  const fault = await host.fails("execute_query", { query: "SELEC 1", limit: 2, page: 1, schema });
  assert.equal(fault.code, -32603);
  assert.match(fault.message, /SELEC/i);
  const fields = { queries: ["INSERT INTO item (id, name) VALUES (6, 'f')", "SELEC 1", "SELECT 6 AS n"] };
  const items = z.array(shapes.batchItem).parse(
    await host.ask("execute_query_batch", { ...fields, limit: 2, page: 1, schema }),
  );
  assert.deepEqual(items.map(({ error }) => error === null), [true, false, true]);
  assert.deepEqual(await host.ask("execute_query_batch", { queries: [], limit: 2, page: 1, schema }), []);
}
