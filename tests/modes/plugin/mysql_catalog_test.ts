/**
 * What `saber plugin` tells of MariaDB's tables and routines, member by member.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { sharedMariadb } from "../../support/mariadb_server.ts";
import { column, foreignKey, index } from "../../support/plugin_catalog.ts";
import { mariadbForm } from "../../support/plugin_forms.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";
import { runAll } from "../../suites/plugin_fixture.ts";

const server = await sharedMariadb();

const SETUP = [
  `CREATE TABLE parent (a int, b int, label varchar(20) DEFAULT 'x' COMMENT 'its label', PRIMARY KEY (b, a), UNIQUE KEY lab (label))
    COMMENT 'the parent''s'`,
  `CREATE TABLE child (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, pa int, pb int, m enum('so so','it''s, ok') DEFAULT 'so so',
    at timestamp(3) NULL DEFAULT NULL, n decimal(12, 2) DEFAULT 1.5, word text DEFAULT NULL, stored int AS (length(word)) STORED,
    seen int AS (length(word) + 1), doc json, flag bool DEFAULT true, bits bit(3), bytes binary(16),
    CONSTRAINT to_parent FOREIGN KEY (pb, pa) REFERENCES parent (b, a) ON DELETE CASCADE ON UPDATE SET NULL)`,
  "CREATE FUNCTION f(a int, b varchar(5)) RETURNS varchar(9) DETERMINISTIC RETURN 'x'",
  "CREATE PROCEDURE p(IN a int, OUT b int, INOUT c text) BEGIN SELECT a; SET b = 2; END",
  "CREATE TRIGGER watch BEFORE INSERT ON parent FOR EACH ROW SET NEW.a = NEW.a",
];

async function withDatabase(test: (host: PluginHost, schema: string) => Promise<void>): Promise<void> {
  const schema = `plugin_${crypto.randomUUID().slice(0, 8)}`;
  await using host = new PluginHost(mariadbForm(server), { args: ["--driver", "saber-mysql"] });
  await runAll(host, [`CREATE DATABASE ${schema} CHARACTER SET utf8mb4`], null);
  try {
    await runAll(host, SETUP, schema);
    await test(host, schema);
  } finally {
    await runAll(host, [`DROP DATABASE ${schema}`], null);
  }
}

Deno.test("MariaDB's tables, columns, keys and indexes are told member by member", () =>
  withDatabase(async (host, schema) => {
    const ask = (method: string, table: string) => host.ask(method, { table, schema });
    assert.deepEqual(await host.ask("get_schemas"), []);
    assert.deepEqual(await host.ask("get_tables", { schema }), [
      { name: "child", comment: null },
      { name: "parent", comment: "the parent's" },
    ]);
    assert.deepEqual(await ask("get_columns", "child"), [
      column("id", "bigint(20) unsigned", { is_pk: true, is_nullable: false, is_auto_increment: true }),
      column("pa", "int(11)"),
      column("pb", "int(11)"),
      column("m", "enum('so so','it''s, ok')", { default_value: "'so so'", character_maximum_length: 8 }),
      column("at", "timestamp"),
      column("n", "decimal(12,2)", { default_value: "1.50" }),
      column("word", "text", { character_maximum_length: 65_535 }),
      column("stored", "int(11)", { is_generated: true }),
      column("seen", "int(11)", { is_generated: true }),
      column("doc", "json", { character_maximum_length: 4_294_967_295 }),
      column("flag", "tinyint(1)", { default_value: "1" }),
      column("bits", "bit(3)"),
      column("bytes", "binary(16)", { character_maximum_length: 16 }),
    ]);
    assert.deepEqual(await ask("get_columns", "parent"), [
      column("a", "int(11)", { is_pk: true, is_nullable: false }),
      column("b", "int(11)", { is_pk: true, is_nullable: false }),
      column("label", "varchar(20)", {
        default_value: "'x'",
        character_maximum_length: 20,
        comment: "its label",
      }),
    ]);
    const key = foreignKey("to_parent", {
      pairs: [["pb", "b"], ["pa", "a"]],
      to: "parent",
      onDelete: "CASCADE",
      onUpdate: "SET NULL",
    });
    assert.deepEqual(await ask("get_foreign_keys", "child"), key);
    assert.deepEqual(await host.ask("get_all_foreign_keys_batch", { schema }), { child: key, parent: [] });
    assert.deepEqual(await ask("get_indexes", "child"), [
      ...index("PRIMARY", ["id"], { is_unique: true, is_primary: true }),
      ...index("to_parent", ["pb", "pa"]),
    ]);
    assert.deepEqual(await ask("get_indexes", "parent"), [
      ...index("PRIMARY", ["b", "a"], { is_unique: true, is_primary: true }),
      ...index("lab", ["label"], { is_unique: true }),
    ]);
    const params = { ...host.params, database: "no_such_database" };
    assert.deepEqual(await host.ask("get_databases", { params }), await host.ask("get_databases"));
  }));

Deno.test("MariaDB's routines and triggers are told member by member", () =>
  withDatabase(async (host, schema) => {
    assert.deepEqual(await host.ask("get_routines", { schema }), [
      { name: "f", routine_type: "FUNCTION", definition: null },
      { name: "p", routine_type: "PROCEDURE", definition: null },
    ]);
    assert.deepEqual(await host.ask("get_routine_parameters", { routine_name: "f", schema }), [
      { name: "", data_type: "varchar(9)", mode: "OUT", ordinal_position: 0 },
      { name: "a", data_type: "int(11)", mode: "IN", ordinal_position: 1 },
      { name: "b", data_type: "varchar(5)", mode: "IN", ordinal_position: 2 },
    ]);
    assert.deepEqual(await host.ask("get_routine_parameters", { routine_name: "p", schema }), [
      { name: "a", data_type: "int(11)", mode: "IN", ordinal_position: 1 },
      { name: "b", data_type: "int(11)", mode: "OUT", ordinal_position: 2 },
      { name: "c", data_type: "text", mode: "INOUT", ordinal_position: 3 },
    ]);
    assert.deepEqual(await host.ask("get_triggers", { schema }), [
      { name: "watch", table_name: "parent", event: "INSERT", timing: "BEFORE", definition: null },
    ]);
  }));

Deno.test("MariaDB's booleans are written in words; its measured plans have their times", () =>
  withDatabase(async (host, schema) => {
    const words = { true: 1, f: 0, YES: 1, n: 0, on: 1, off: 0, "1": 1, "5": 5 };
    assert.equal(await host.ask("insert_record", { table: "child", data: { flag: "no" }, schema }), 1);
    for (const [new_val, expected] of Object.entries(words)) {
      const change = { table: "child", pk_map: { id: 1 }, col_name: "flag", new_val, schema };
      assert.equal(await host.ask("update_record", change), 1, new_val);
      const fields = { query: "SELECT flag FROM child", limit: null, page: 1, schema };
      assert.deepEqual(shapes.queryResult.parse(await host.ask("execute_query", fields)).rows, [[expected]]);
    }
    const bad = { table: "child", pk_map: { id: 1 }, col_name: "n", new_val: "many", schema };
    assert.match((await host.fails("update_record", bad)).message, /Incorrect decimal value: 'many'[^\n]*$/);
    const query = "SELECT * FROM child";
    const plan = z.looseObject({
      planning_time_ms: z.number(),
      execution_time_ms: z.number(),
      has_analyze_data: z.literal(true),
    });
    plan.parse(await host.ask("explain_query", { query, analyze: true, schema }));
    const { message } = await host.fails("explain_query", {
      query: "SELECT * FORM child",
      analyze: false,
      schema,
    });
    assert.match(message, /POSITION: 10$/);
  }));
