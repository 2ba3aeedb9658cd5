/**
 * Definitions, templates, routines and plans, on one engine: every text that the driver writes is run by the engine.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PluginHost } from "../support/plugin_host.ts";
import * as shapes from "../support/plugin_shapes.ts";
import { type PluginFixture, runAll } from "./plugin_fixture.ts";

const statements = z.array(z.string()).check(z.minLength(1));

export function pluginDefinitions(engine: string, make: () => Promise<PluginFixture>): void {
  Deno.test(`saber plugin on ${engine} defines things`, async (t) => {
    const fixture = await make();
    await using host = new PluginHost(fixture.params, { args: ["--driver", fixture.driver] });
    try {
      await runAll(host, fixture.create, null);
      await runAll(host, fixture.setup, fixture.schema);
      await t.step("tables, columns, indexes and keys", () => tables(host, fixture));
      await t.step("views", () => views(host, fixture));
      await t.step("triggers and routines", () => routines(host, fixture));
      await t.step("templates", () => templates(host, fixture));
      await t.step("plans", () => plans(host, fixture));
      await t.step("metadata", async () => assert.deepEqual(await host.ask("get_connection_metadata"), {}));
    } finally {
      await runAll(host, fixture.cleanup, null);
      await fixture.dispose();
    }
  });
}

const column = (name: string, data_type: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  data_type,
  is_nullable: true,
  is_pk: false,
  is_auto_increment: false,
  default_value: null,
  ...more,
});

/** The text of a definition; such requests may come without a connection. */
async function define(
  host: PluginHost,
  method: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  return statements.parse(await host.ask(method, { ...fields, params: undefined }));
}

async function tables(host: PluginHost, { schema, has }: PluginFixture): Promise<void> {
  const columns = [
    column("id", "INTEGER", { is_pk: true, is_nullable: false, is_auto_increment: true }),
    column('na"me', "VARCHAR(40)", { is_nullable: false, default_value: "'x'" }),
  ];
  await runAll(
    host,
    await define(host, "get_create_table_sql", { table_name: "made", columns, schema }),
    schema,
  );
  await runAll(
    host,
    await define(host, "get_add_column_sql", { table: "made", column: column("n", "INTEGER"), schema }),
    schema,
  );
  const change = { old_column: column("n", "INTEGER"), new_column: column("number", "INTEGER") };
  await runAll(
    host,
    await define(host, "get_alter_column_sql", { table: "made", ...change, schema }),
    schema,
  );
  const same = {
    table: "made",
    old_column: column("n", "INTEGER"),
    new_column: column("n", "INTEGER"),
    schema,
  };
  assert.match((await host.fails("get_alter_column_sql", same)).message, /No changes detected/);
  const made = z.array(shapes.tableColumn).parse(await host.ask("get_columns", { table: "made", schema }));
  assert.deepEqual(made.map(({ name }) => name), ["id", 'na"me', "number"]);
  assert.deepEqual(made.map(({ is_auto_increment }) => is_auto_increment), [true, false, false]);
  assert.equal(made[0]?.default_value, null);
  await host.ask("insert_record", { table: "made", data: {}, schema });
  const index = { table: "made", index_name: "made_number", columns: ["number"], is_unique: true, schema };
  await runAll(host, await define(host, "get_create_index_sql", index), schema);
  const indexes = z.array(shapes.index).parse(await host.ask("get_indexes", { table: "made", schema }));
  assert.equal(indexes.find(({ name }) => name === "made_number")?.is_unique, true);
  assert.equal(await host.ask("drop_index", { table: "made", index_name: "made_number", schema }), null);

  const key = {
    table: "made",
    column: "number",
    ref_table: "item",
    ref_column: "id",
    on_delete: "CASCADE",
    schema,
  };
  if (!has.foreignKeyNames) {
    assert.match(
      (await host.fails("get_create_foreign_key_sql", { ...key, fk_name: "made_item" })).message,
      /CREATE TABLE/,
    );
    return;
  }
  await runAll(
    host,
    await define(host, "get_create_foreign_key_sql", { ...key, fk_name: "made_item" }),
    schema,
  );
  const keys = z.array(shapes.foreignKey).parse(
    await host.ask("get_foreign_keys", { table: "made", schema }),
  );
  assert.deepEqual(keys.map(({ name, on_delete }) => [name, on_delete]), [["made_item", "CASCADE"]]);
  assert.equal(await host.ask("drop_foreign_key", { table: "made", fk_name: "made_item", schema }), null);
  const unknown = { ...key, fk_name: "x", on_delete: "EXPLODE" };
  assert.equal((await host.fails("get_create_foreign_key_sql", unknown)).code, -32602);
}

async function views(host: PluginHost, { schema }: PluginFixture): Promise<void> {
  const view = { view_name: "shown", schema };
  assert.equal(await host.ask("create_view", { ...view, definition: "SELECT id FROM item" }), null);
  const definition = z.string().parse(await host.ask("get_view_definition", view));
  assert.match(definition, /^create /i);
  assert.equal(await host.ask("alter_view", { ...view, definition: "SELECT id, name FROM item" }), null);
  const columns = z.array(shapes.tableColumn).parse(await host.ask("get_view_columns", view));
  assert.deepEqual(columns.map(({ name }) => name), ["id", "name"]);
  // the whole text, as the definition is shown, does too
  const whole = z.string().parse(await host.ask("get_view_definition", view));
  assert.equal(await host.ask("alter_view", { ...view, definition: whole }), null);
  assert.equal(await host.ask("drop_view", view), null);
  assert.equal(await host.ask("drop_view", view), null);
}

async function routines(host: PluginHost, { schema, has, newTrigger }: PluginFixture): Promise<void> {
  if (has.triggers) {
    const trigger = { trigger_name: "watch", table_name: "item", schema };
    assert.equal(await host.ask("drop_trigger", trigger), null);
    assert.deepEqual(await host.ask("get_triggers", { schema }), []);
    assert.equal(await host.ask("create_trigger", { trigger_sql: newTrigger, schema }), null);
    assert.equal(z.array(shapes.triggerInfo).parse(await host.ask("get_triggers", { schema })).length, 1);
  }
  const routine = { routine_name: "twice", routine_type: "FUNCTION", schema };
  if (!has.routines) {
    assert.match((await host.fails("drop_routine", routine)).message, /no such objects/);
    return;
  }
  const args = [{ name: "n", mode: "IN", value: "21", is_raw: false }];
  const query = z.string().parse(await host.ask("build_routine_call_sql", { ...routine, args }));
  const called = await host.ask("execute_query", { query, limit: null, page: 1, schema });
  assert.deepEqual(shapes.queryResult.parse(called).rows, [[42]]);
  const template = z.string().parse(
    await host.ask("routine_create_template", { routine_type: "FUNCTION", schema }),
  );
  await runAll(host, [template], schema);
  const list = z.array(shapes.routineInfo).parse(await host.ask("get_routines", { schema }));
  assert.ok(list.some(({ name }) => name === "new_routine"));
  assert.equal(await host.ask("drop_routine", { ...routine, routine_name: "new_routine" }), null);
}

async function templates(host: PluginHost, { schema }: PluginFixture): Promise<void> {
  const write = async (request: Readonly<Record<string, unknown>>) =>
    z.string().parse(
      await host.ask("get_table_query_template", { request: { table: "item", schema, ...request } }),
    );
  await runAll(host, [
    await write({ kind: "select", limit: null }),
    await write({ kind: "select", columns: ["id", "name"], limit: 100 }),
    await write({ kind: "select", columns: ["id"], limit: 0 }),
    await write({ kind: "delete" }),
    (await write({ kind: "update", columns: ["name"] })).replace(":value_1", "'x'"),
  ], schema);
  assert.match(await write({ kind: "delete" }), /WHERE 1 = 0;$/);
  assert.match(
    await write({ kind: "update", columns: ["id", "name"] }),
    /:value_1[^]*:value_2[^]*WHERE 1 = 0;$/,
  );
  const limited = { request: { table: "item", schema, kind: "update", limit: 1 } };
  assert.equal((await host.fails("get_table_query_template", limited)).code, -32602);
}

const nullableNumber = z.nullable(z.number());
const nullableInteger = z.nullable(z.int());
const nullableText = z.nullable(z.string());
const node = z.strictObject({
  id: z.string(),
  node_type: z.string(),
  relation: nullableText,
  startup_cost: nullableNumber,
  total_cost: nullableNumber,
  plan_rows: nullableNumber,
  actual_rows: nullableNumber,
  actual_time_ms: nullableNumber,
  actual_loops: nullableInteger,
  buffers_hit: nullableInteger,
  buffers_read: nullableInteger,
  filter: nullableText,
  index_condition: nullableText,
  join_type: nullableText,
  hash_condition: nullableText,
  extra: z.record(z.string(), z.unknown()),
  get children() {
    return z.array(node);
  },
});
const plan = z.strictObject({
  root: node,
  planning_time_ms: nullableNumber,
  execution_time_ms: nullableNumber,
  original_query: z.string(),
  driver: z.string(),
  has_analyze_data: z.boolean(),
  raw_output: z.string(),
});

async function plans(host: PluginHost, { schema }: PluginFixture): Promise<void> {
  await runAll(host, ["INSERT INTO item (id, name) VALUES (1, 'a'), (2, 'b')"], schema);
  const explain = async (query: string, analyze: boolean) =>
    plan.parse(await host.ask("explain_query", { query, analyze, schema }));
  const query =
    "SELECT i.name, p.b FROM item i JOIN part p ON p.item_id = i.id WHERE i.name <> 'z' ORDER BY p.b";
  const shown = await explain(query, false);
  assert.equal(shown.original_query, query);
  assert.equal(shown.has_analyze_data, false);
  const relations: string[] = [];
  const visit = (at: z.infer<typeof node>) => {
    if (at.relation !== null) relations.push(at.relation);
    at.children.forEach(visit);
  };
  visit(shown.root);
  assert.ok(relations.length >= 2, `the plan names the tables: ${JSON.stringify(shown.root)}`);
  assert.ok(shown.raw_output.length > 0);
  await explain("SELECT name FROM item WHERE id = 1", true);
  await explain("DELETE FROM item", true);
  const left = await host.ask("execute_query", {
    query: "SELECT COUNT(*) FROM item",
    limit: null,
    page: 1,
    schema,
  });
  assert.deepEqual(shapes.queryResult.parse(left).rows, [[2]], "what was analyzed is undone");
  assert.equal(
    (await host.fails("explain_query", { query: "SELECT 1; SELECT 2", analyze: false, schema })).code,
    -32602,
  );
}
