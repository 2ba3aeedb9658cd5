/**
 * What `saber plugin` tells of PostgreSQL's tables, member by member, and texts that make them anew.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { column, foreignKey, index } from "../../support/plugin_catalog.ts";
import { postgresForm } from "../../support/plugin_forms.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import { createDatabase } from "../../support/postgres_database.ts";
import { sharedPostgres } from "../../support/postgres_server.ts";
import { runAll } from "../../suites/plugin_fixture.ts";

const server = await sharedPostgres(18);

const SETUP = [
  "CREATE TYPE mood AS ENUM ('so so', 'it''s ok', 'a, b')",
  "CREATE TABLE parent (a integer, b integer, label varchar(20) DEFAULT 'x' CONSTRAINT lab UNIQUE, PRIMARY KEY (b, a))",
  "COMMENT ON TABLE parent IS 'the parent''s'",
  "COMMENT ON COLUMN parent.label IS 'its label'",
  `CREATE TABLE child (id bigserial PRIMARY KEY, number integer GENERATED ALWAYS AS IDENTITY, pa integer, pb integer,
    m mood DEFAULT 'so so', at timestamptz(3) DEFAULT now(), n numeric(12, 2) CHECK (n > 0), word text DEFAULT NULL,
    stored integer GENERATED ALWAYS AS (pa * 2) STORED, seen integer GENERATED ALWAYS AS (pa + 1) VIRTUAL, l integer[],
    CONSTRAINT to_parent FOREIGN KEY (pb, pa) REFERENCES parent (b, a) ON DELETE SET NULL ON UPDATE CASCADE)`,
  "CREATE UNIQUE INDEX words ON child (lower(word), n DESC) INCLUDE (pa) WHERE n > 1",
  "CREATE TABLE nothing ()",
  "CREATE TABLE parted (k integer, v text) PARTITION BY RANGE (k)",
  "CREATE TABLE low PARTITION OF parted FOR VALUES FROM (1) TO (10) PARTITION BY LIST (v)",
  "CREATE TABLE low_a PARTITION OF low FOR VALUES IN ('a')",
  "CREATE INDEX by_k ON parted (k)",
  "CREATE FUNCTION f(a integer, OUT b integer, INOUT c text, VARIADIC d integer[]) LANGUAGE sql AS 'SELECT 1, c'",
  "CREATE FUNCTION f(a text) RETURNS text LANGUAGE sql AS 'SELECT a'",
  "CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS ''",
  "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
  "CREATE TRIGGER many BEFORE INSERT OR UPDATE OR DELETE ON parent FOR EACH ROW EXECUTE FUNCTION change()",
];

async function withDatabase(test: (host: PluginHost) => Promise<void>): Promise<void> {
  const database = await createDatabase(server, SETUP);
  try {
    await using host = new PluginHost(postgresForm(server, database.name), {
      args: ["--driver", "saber-postgres"],
    });
    await test(host);
  } finally {
    await database.drop();
  }
}

Deno.test("PostgreSQL's tables, columns, keys and indexes are told member by member", () =>
  withDatabase(async (host) => {
    const ask = (method: string, table: string) => host.ask(method, { table, schema: "public" });
    assert.deepEqual(await host.ask("get_tables", { schema: null }), [
      { name: "child", comment: null },
      { name: "nothing", comment: null },
      { name: "parent", comment: "the parent's" },
      { name: "parted", comment: null },
    ]);
    assert.deepEqual(await ask("get_columns", "child"), [
      column("id", "bigint", { is_pk: true, is_nullable: false, is_auto_increment: true }),
      column("number", "integer", { is_nullable: false, is_auto_increment: true }),
      column("pa", "integer"),
      column("pb", "integer"),
      column("m", "enum('so so','it''s ok','a, b')", { default_value: "'so so'::mood" }),
      column("at", "timestamp with time zone", { default_value: "now()" }),
      column("n", "numeric(12,2)"),
      column("word", "text"),
      column("stored", "integer", { is_generated: true }),
      column("seen", "integer", { is_generated: true }),
      column("l", "integer[]"),
    ]);
    assert.deepEqual(await ask("get_columns", "parent"), [
      column("a", "integer", { is_pk: true, is_nullable: false }),
      column("b", "integer", { is_pk: true, is_nullable: false }),
      column("label", "character varying(20)", {
        default_value: "'x'::character varying",
        character_maximum_length: 20,
        comment: "its label",
      }),
    ]);
    assert.deepEqual(await ask("get_columns", "nothing"), []);
    const key = foreignKey("to_parent", {
      pairs: [["pb", "b"], ["pa", "a"]],
      to: "parent",
      onDelete: "SET NULL",
      onUpdate: "CASCADE",
    });
    assert.deepEqual(await ask("get_foreign_keys", "child"), key);
    assert.deepEqual(await ask("get_indexes", "child"), [
      ...index("child_pkey", ["id"], { is_unique: true, is_primary: true }),
      ...index("words", ["lower(word)"], { is_unique: true, is_expression: true }),
      { ...index("words", ["n"], { is_unique: true })[0], seq_in_index: 2 },
    ]);
    assert.deepEqual(await ask("get_indexes", "parent"), [
      ...index("lab", ["label"], { is_unique: true }),
      ...index("parent_pkey", ["b", "a"], { is_unique: true, is_primary: true }),
    ]);
    const snapshot = await host.ask("get_schema_snapshot", { schema: "public" });
    const all = await host.ask("get_all_columns_batch", { schema: "public" });
    const keys = z.record(z.string(), z.unknown()).parse(
      await host.ask("get_all_foreign_keys_batch", { schema: "public" }),
    );
    assert.deepEqual(keys, { child: key, nothing: [], parent: [], parted: [] });
    const columns = z.record(z.string(), z.unknown()).parse(all);
    assert.deepEqual(columns.child, await ask("get_columns", "child"));
    assert.deepEqual(
      snapshot,
      ["child", "nothing", "parent", "parted"].map((name) => ({
        name,
        columns: columns[name],
        foreign_keys: new Map(Object.entries(keys)).get(name),
      })),
    );
    // what others refer to comes first
    const context = await host.ask("get_ai_schema_context", { schema: "public", max_tables: 1 });
    assert.deepEqual(context, {
      tables: [{ name: "parent", columns: columns.parent, foreign_keys: [] }],
      total_table_count: 4,
    });
  }));

Deno.test("a table's text makes it anew, with its numbers, partitions and no columns at all", () =>
  withDatabase(async (host) => {
    const names = ["parent", "child", "nothing", "parted"];
    const read = async () => {
      const texts: string[] = [];
      for (const table of names) {
        texts.push(z.string().parse(await host.ask("get_table_ddl", { table, schema: "public" })));
      }
      return texts;
    };
    const columns = () => host.ask("get_schema_snapshot", { schema: "public" });
    const [texts, before] = [await read(), await columns()];
    await runAll(host, ["DROP TABLE child, parent, nothing, parted"], null);
    await runAll(host, texts, null);
    assert.deepEqual(await read(), texts);
    assert.deepEqual(await columns(), before);
    await runAll(host, ["INSERT INTO parted VALUES (2, 'a')", "INSERT INTO child (pa) VALUES (NULL)"], null);
    const parts = await host.ask("execute_query", {
      query: "SELECT count(*) FROM pg_inherits WHERE inhparent = 'by_k'::regclass",
      limit: null,
      page: 1,
      schema: null,
    });
    assert.deepEqual(
      z.looseObject({ rows: z.unknown() }).parse(parts).rows,
      [[1]],
      "partitions have the index",
    );
  }));

Deno.test("routines and triggers of PostgreSQL are told member by member; one of several is not dropped", () =>
  withDatabase(async (host) => {
    const parameters = (routine_name: string) =>
      host.ask("get_routine_parameters", { routine_name, schema: "public" });
    assert.deepEqual(
      await host.ask("get_routines", { schema: "public" }),
      ["change", "f", "nothing"].map((name) => ({ name, routine_type: "FUNCTION", definition: null })),
    );
    assert.deepEqual(await parameters("f"), [
      { name: "a", data_type: "integer", mode: "IN", ordinal_position: 1 },
      { name: "b", data_type: "integer", mode: "OUT", ordinal_position: 2 },
      { name: "c", data_type: "text", mode: "INOUT", ordinal_position: 3 },
      { name: "d", data_type: "integer[]", mode: "IN", ordinal_position: 4 },
    ]);
    assert.deepEqual([await parameters("nothing"), await parameters("change")], [[], []]);
    assert.deepEqual(await host.ask("get_triggers", { schema: "public" }), [
      {
        name: "many",
        table_name: "parent",
        event: "DELETE OR INSERT OR UPDATE",
        timing: "BEFORE",
        definition: null,
      },
    ]);
    const routine = { routine_name: "f", routine_type: "FUNCTION", schema: "public" };
    const several = await host.fails("drop_routine", routine);
    assert.equal(several.code, -32603);
    assert.match(
      several.message,
      /public\.f\(a integer, OUT b integer, INOUT c text, VARIADIC d integer\[\]\), public\.f\(a text\)/,
    );
    const both = z.string().parse(await host.ask("get_routine_definition", routine));
    assert.equal(both.match(/CREATE OR REPLACE FUNCTION public\.f/g)?.length, 2);
    assert.equal(await host.ask("drop_routine", { ...routine, routine_name: "nothing" }), null);
  }));

Deno.test("the databases are listed though the form names one that is not there", () =>
  withDatabase(async (host) => {
    const params = { ...host.params, database: "no_such_database" };
    const named = z.array(z.string()).parse(await host.ask("get_databases"));
    assert.deepEqual(await host.ask("get_databases", { params }), named);
    assert.match((await host.fails("test_connection", { params })).message, /3D000/);
    const wrong = { params: { ...params, password: "wrong" } };
    assert.match((await host.fails("get_databases", wrong)).message, /28P01/);
  }));

Deno.test("a plan that cannot be made says where in the text that was sent", () =>
  withDatabase(async (host) => {
    const at = async (query: string, analyze: boolean) =>
      (await host.fails("explain_query", { query, analyze, schema: null })).message;
    assert.match(await at("SELECT * FORM parent", false), /POSITION: 10$/);
    assert.match(await at("SELECT nope FROM parent", true), /POSITION: 8$/);
  }));
