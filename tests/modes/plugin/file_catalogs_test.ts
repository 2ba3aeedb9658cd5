/**
 * What `saber plugin` tells of the tables of SQLite, DuckDB and files, member by member.
 */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { column, foreignKey, index } from "../../support/plugin_catalog.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import { makeFile } from "../../support/sqlite_file.ts";
import { runAll } from "../../suites/plugin_fixture.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "saber-plugin-catalog-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("SQLite's tables, columns, keys, indexes and triggers are told member by member", async () => {
  await using file = await makeFile(`
    CREATE TABLE parent (a INTEGER PRIMARY KEY AUTOINCREMENT, b INT NOT NULL DEFAULT 5, label VARCHAR(20) DEFAULT 'x' UNIQUE,
      g INT AS (b * 2) STORED, v INT AS (b + 1), flag BOOLEAN DEFAULT NULL, free);
    CREATE TABLE two (m INT, n INT, UNIQUE (m, n));
    CREATE TABLE child (x INT, y TEXT, p REFERENCES parent ON DELETE CASCADE, q INT, r INT, PRIMARY KEY (y, x),
      FOREIGN KEY (q, r) REFERENCES two (m, n) ON UPDATE SET NULL) WITHOUT ROWID;
    CREATE UNIQUE INDEX words ON child (lower(y), q DESC) WHERE q > 1;
    CREATE VIEW seen AS SELECT a, label FROM parent;
    CREATE TRIGGER watch BEFORE UPDATE OF b ON parent BEGIN SELECT 1; END;
    CREATE TRIGGER instead INSTEAD OF DELETE ON seen BEGIN SELECT 1; END;
    CREATE VIRTUAL TABLE found USING fts5(body);`);
  await using host = new PluginHost({ driver: "saber-sqlite", database: file.path });
  const ask = (method: string, table: string) => host.ask(method, { table, schema: null });
  assert.deepEqual(
    await host.ask("get_tables", { schema: null }),
    ["child", "found", "parent", "two"].map((name) => ({ name, comment: null })),
  );
  assert.deepEqual(await host.ask("get_schemas"), []);
  assert.deepEqual(await ask("get_columns", "parent"), [
    column("a", "INTEGER", { is_pk: true, is_nullable: false, is_auto_increment: true }),
    column("b", "INT", { is_nullable: false, default_value: "5" }),
    column("label", "VARCHAR(20)", { default_value: "'x'" }),
    column("g", "INT", { is_generated: true }),
    column("v", "INT", { is_generated: true }),
    column("flag", "BOOLEAN"),
    column("free", ""),
  ]);
  assert.deepEqual(await ask("get_foreign_keys", "child"), [
    ...foreignKey("fk_child_0", { pairs: [["q", "m"], ["r", "n"]], to: "two", onUpdate: "SET NULL" }),
    // the parent's key is meant where no column is named
    ...foreignKey("fk_child_1", { pairs: [["p", "a"]], to: "parent", onDelete: "CASCADE" }),
  ]);
  assert.deepEqual(await ask("get_indexes", "parent"), [
    ...index("PRIMARY", ["a"], { is_unique: true, is_primary: true }),
    ...index("sqlite_autoindex_parent_1", ["label"], { is_unique: true }),
  ]);
  assert.deepEqual(await ask("get_indexes", "child"), [
    ...index("sqlite_autoindex_child_1", ["y", "x"], { is_unique: true, is_primary: true }),
    ...index("words", ["lower(y)"], { is_unique: true, is_expression: true }),
    { ...index("words", ["q"], { is_unique: true })[0], seq_in_index: 2 },
  ]);
  assert.deepEqual(await host.ask("get_triggers", { schema: null }), [
    { name: "instead", table_name: "seen", event: "DELETE", timing: "INSTEAD OF", definition: null },
    { name: "watch", table_name: "parent", event: "UPDATE", timing: "BEFORE", definition: null },
  ]);
});

Deno.test("DuckDB's tables, columns, keys and indexes are told member by member", () =>
  inFolder(async (folder) => {
    const database = `${folder}/test.duckdb`;
    (await DuckDBInstance.create(database)).closeSync();
    await using host = new PluginHost({ driver: "saber-duckdb", database });
    await runAll(host, [
      "CREATE SEQUENCE numbers",
      "CREATE TYPE mood AS ENUM ('so so', 'it''s, ''ok''')",
      `CREATE TABLE parent (a INTEGER PRIMARY KEY DEFAULT nextval('numbers'), b INTEGER NOT NULL DEFAULT 5,
        label VARCHAR DEFAULT 'x' UNIQUE, m mood DEFAULT 'so so', ms mood[], g INTEGER AS (b * 2), moment TIMESTAMPTZ,
        s STRUCT(x INTEGER, "y z" ENUM('a', 'b')), nothing VARCHAR DEFAULT NULL)`,
      "COMMENT ON TABLE parent IS 'the parent''s'",
      "COMMENT ON COLUMN parent.b IS 'a number'",
      "CREATE TABLE two (m INTEGER, n INTEGER, PRIMARY KEY (n, m))",
      `CREATE TABLE child (x INTEGER, p INTEGER REFERENCES parent (a), q INTEGER, r INTEGER,
        FOREIGN KEY (q, r) REFERENCES two (n, m))`,
      "CREATE UNIQUE INDEX sums ON child (x, (x + 1))",
      "CREATE SCHEMA other",
    ], null);
    const ask = (method: string, table: string) => host.ask(method, { table, schema: "main" });
    assert.deepEqual(await host.ask("get_schemas"), ["main", "other"]);
    assert.deepEqual(await host.ask("get_tables", { schema: null }), [
      { name: "child", comment: null },
      { name: "parent", comment: "the parent's" },
      { name: "two", comment: null },
    ]);
    assert.deepEqual(await ask("get_columns", "parent"), [
      column("a", "INTEGER", { is_pk: true, is_nullable: false, is_auto_increment: true }),
      column("b", "INTEGER", { is_nullable: false, default_value: "5", comment: "a number" }),
      column("label", "VARCHAR", { default_value: "'x'" }),
      column("m", "enum('so so','it''s, ''ok''')", { default_value: "'so so'" }),
      column("ms", "ENUM('so so', 'it''s, ''ok''')[]"),
      column("g", "INTEGER", { is_generated: true }),
      column("moment", "TIMESTAMP WITH TIME ZONE"),
      column("s", `STRUCT(x INTEGER, "y z" ENUM('a', 'b'))`),
      column("nothing", "VARCHAR"),
    ]);
    assert.deepEqual(await ask("get_foreign_keys", "child"), [
      ...foreignKey("child_p_a_fkey", { pairs: [["p", "a"]], to: "parent" }),
      ...foreignKey("child_q_r_n_m_fkey", { pairs: [["q", "n"], ["r", "m"]], to: "two" }),
    ]);
    assert.deepEqual(await ask("get_indexes", "two"), [
      ...index("two_n_m_pkey", ["n", "m"], { is_unique: true, is_primary: true }),
    ]);
    assert.deepEqual(await ask("get_indexes", "child"), [
      ...index("sums", ["x"], { is_unique: true }),
      { ...index("sums", ["((x + 1))"], { is_unique: true, is_expression: true })[0], seq_in_index: 2 },
    ]);
    // the column takes its values by the type that it has, not by the one that is shown
    const made = { table: "parent", data: { a: 1, b: 2, m: "it's, 'ok'" }, schema: null };
    assert.equal(await host.ask("insert_record", made), 1);
    const change = { table: "parent", pk_map: { a: 1 }, col_name: "m", new_val: "so so", schema: null };
    assert.equal(await host.ask("update_record", change), 1);
    await host[Symbol.asyncDispose]();
  }));

Deno.test("data files are tables that a database can take, and nothing in them can be changed", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/people.csv`, 'id,"the ""name"""\n1,Ann\n');
    await using host = new PluginHost({ driver: "saber-files", database: folder });
    const table = { table: "people", schema: "main" };
    assert.deepEqual(await host.ask("get_tables", { schema: null }), [{ name: "people", comment: null }]);
    assert.deepEqual(await host.ask("get_columns", table), [
      column("id", "BIGINT"),
      column('the "name"', "VARCHAR"),
    ]);
    assert.equal(
      await host.ask("get_table_ddl", table),
      'CREATE TABLE "people" (\n  "id" BIGINT,\n  "the ""name""" VARCHAR\n);',
    );
    assert.match(
      (await host.fails("get_table_ddl", { ...table, table: "none" })).message,
      /there is no "none"/,
    );
    const changes = {
      insert_record: { ...table, data: { id: 2 } },
      update_record: { ...table, pk_map: { id: 1 }, col_name: "id", new_val: 2 },
      delete_record: { ...table, pk_map: { id: 1 } },
      create_view: { view_name: "v", definition: "SELECT 1", schema: null },
      drop_view: { view_name: "v", schema: null },
      drop_index: { ...table, index_name: "i" },
      create_trigger: { trigger_sql: "CREATE TRIGGER t", schema: null },
    };
    for (const [method, fields] of Object.entries(changes)) {
      const { code, message } = await host.fails(method, fields);
      assert.deepEqual([code, /files are read-only/.test(message)], [-32603, true], `${method}: ${message}`);
    }
    await host[Symbol.asyncDispose]();
  }));
