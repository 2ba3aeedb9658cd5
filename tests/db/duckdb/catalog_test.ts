/**
 * What the catalogue says of DuckDB's own kinds of tables and columns.
 */
import assert from "node:assert/strict";
import { driver } from "../../../src/db/duckdb.ts";
import { duckdbFile, testFolder } from "../../support/duckdb.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;
const NEVER = new AbortController().signal;

const SETUP = [
  "CREATE SCHEMA s2",
  "CREATE SCHEMA hidden",
  "CREATE TYPE mood AS ENUM ('sad', 'o''k')",
  "CREATE TABLE parent (a INTEGER, b INTEGER, PRIMARY KEY (a, b))",
  `CREATE TABLE f (
    id BIGINT PRIMARY KEY,
    pa INTEGER,
    pb INTEGER,
    m mood,
    g INTEGER GENERATED ALWAYS AS (pa * 2),
    "odd ""name" DECIMAL(10,2) NOT NULL DEFAULT 1.5,
    "g 2" VARCHAR GENERATED ALWAYS AS (upper(txt)),
    txt VARCHAR DEFAULT 'txt VARCHAR GENERATED ALWAYS AS',
    l INTEGER[],
    st STRUCT(x INTEGER, "y z" VARCHAR),
    t TIMESTAMPTZ,
    CHECK (pa > 0),
    UNIQUE (pa, pb),
    FOREIGN KEY (pa, pb) REFERENCES parent (a, b))`,
  'CREATE INDEX ix ON f ("odd ""name", (pa + 1))',
  'CREATE UNIQUE INDEX "u x" ON f (txt)',
  "COMMENT ON TABLE f IS 'the f'",
  "COMMENT ON COLUMN f.pa IS 'first half'",
  "CREATE VIEW s2.w AS SELECT id, m FROM main.f",
  "COMMENT ON VIEW s2.w IS 'a view'",
  "CREATE TABLE hidden.x (a INTEGER)",
  "INSERT INTO parent SELECT range, range FROM range(100)",
  "CREATE MACRO list_contains(a, b) AS true",
  "CREATE MACRO duckdb_tables() AS TABLE SELECT 1",
];

Deno.test("tables, views, comments, enums, generated columns, keys and indexes", async () => {
  await using folder = await testFolder();
  const target = { ...await duckdbFile(folder.path, SETUP), excludeSchemas: ["hidden"] };
  const database = await driver.open(target, OPTIONS);
  try {
    assert.deepEqual(await database.tables({ signal: NEVER }), [
      { schema: "main", name: "f", kind: "table", comment: "the f", rowEstimate: 0 },
      { schema: "main", name: "parent", kind: "table", rowEstimate: 100 },
      { schema: "s2", name: "w", kind: "view", comment: "a view" },
    ]);
    const [f, , w] = await database.describe({ signal: NEVER });
    assert.deepEqual(f?.columns, [
      { name: "id", type: "BIGINT", nullable: false },
      { name: "pa", type: "INTEGER", nullable: true, comment: "first half" },
      { name: "pb", type: "INTEGER", nullable: true },
      { name: "m", type: "ENUM('sad', 'o''k')", nullable: true },
      { name: "g", type: "INTEGER", nullable: true, generated: "CAST((pa * 2) AS INTEGER)" },
      { name: 'odd "name', type: "DECIMAL(10,2)", nullable: false, default: "1.5" },
      { name: "g 2", type: "VARCHAR", nullable: true, generated: "CAST(upper(txt) AS VARCHAR)" },
      { name: "txt", type: "VARCHAR", nullable: true, default: "'txt VARCHAR GENERATED ALWAYS AS'" },
      { name: "l", type: "INTEGER[]", nullable: true },
      { name: "st", type: 'STRUCT(x INTEGER, "y z" VARCHAR)', nullable: true },
      { name: "t", type: "TIMESTAMP WITH TIME ZONE", nullable: true },
    ]);
    assert.deepEqual(f?.primaryKey, ["id"]);
    assert.deepEqual(f?.foreignKeys, [
      { columns: ["pa", "pb"], references: { schema: "main", table: "parent", columns: ["a", "b"] } },
    ]);
    assert.deepEqual(f?.indexes, [
      { name: "f_pa_pb_key", columns: ["pa", "pb"], unique: true },
      { name: "ix", columns: ['odd "name', "((pa + 1))"], unique: false },
      { name: "u x", columns: ["txt"], unique: true },
    ]);
    assert.deepEqual(w?.columns.map(({ name }) => name), ["id", "m"]);
    assert.deepEqual((await database.tables({ pattern: "s2.%", signal: NEVER })).map(({ name }) => name), [
      "w",
    ]);
  } finally {
    await database.close();
  }
});
