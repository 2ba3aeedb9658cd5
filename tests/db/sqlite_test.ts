/** The SQLite engine: the conformance suite on real files. What only SQLite has is in tests/db/sqlite/. */
import { DatabaseSync } from "node:sqlite";
import { driver } from "../../src/db/sqlite/sqlite.ts";
import { databaseSuite } from "../suites/database_suite.ts";
import { isBusyWith } from "../support/sqlite_processes.ts";

const COUNT = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c";

databaseSuite({
  name: "sqlite",
  driver,
  async create(setup) {
    const folder = await Deno.makeTempDir({ prefix: "saber-sqlite-" });
    const path = `${folder}/test.db`;
    const db = new DatabaseSync(path);
    for (const statement of setup) db.exec(statement);
    db.close();
    return {
      target: { engine: "sqlite", name: "test", path, excludeSchemas: [] },
      [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
    };
  },
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  schema: "main",
  types: { integer: "INTEGER", varchar20: "varchar(20)", decimal: "NUMERIC(10,2)" },
  zeroDefault: "0",
  sql: {
    numbers: (count) => `${COUNT} LIMIT ${count}) SELECT n FROM c`,
    endless: `${COUNT}) SELECT count(*) FROM c`,
    endlessRows: `${COUNT}) SELECT n FROM c`,
    failsLate:
      `${COUNT} LIMIT 20000) SELECT abs(CASE n WHEN 15000 THEN -9223372036854775807 - 1 ELSE n END) FROM c`,
  },
  values: [
    { sql: "NULL", cell: null, type: "" },
    { sql: "1", cell: 1, type: "" },
    { sql: "9007199254740991", cell: 9007199254740991 },
    { sql: "9007199254740992", cell: 9007199254740992n },
    { sql: "-9007199254740993", cell: -9007199254740993n },
    { sql: "9223372036854775807", cell: 9223372036854775807n },
    { sql: "-9223372036854775807 - 1", cell: -9223372036854775808n },
    { sql: "0.1", cell: 0.1 },
    { sql: "1.0", cell: 1 },
    { sql: "-0.0", cell: -0 },
    { sql: "5e-324", cell: 5e-324 },
    { sql: "1.7976931348623157e308", cell: 1.7976931348623157e308 },
    { sql: "9e999", cell: Infinity },
    { sql: "-9e999", cell: -Infinity },
    { sql: "9e999 - 9e999", cell: null },
    { sql: "''", cell: "" },
    { sql: "'ü€😀'", cell: "ü€😀" },
    { sql: "'a' || char(1) || char(10) || char(8232) || '\"\\'", cell: 'a\u0001\n\u2028"\\' },
    { sql: "x''", cell: new Uint8Array(0) },
    { sql: "x'00ff10'", cell: Uint8Array.of(0, 255, 16) },
    { sql: "zeroblob(300000)", cell: new Uint8Array(300_000) },
    { sql: "replace(hex(zeroblob(100000)), '00', 'é')", cell: "é".repeat(100_000) },
  ],
  faults: [
    { sql: "SELEC 1", code: "syntax_error" },
    { sql: "SELECT 1 FROM", code: "syntax_error" },
    { sql: "SELECT 'open", code: "syntax_error" },
    { sql: "SELECT * FROM missing", code: "unknown_relation" },
    { sql: "SELECT missing FROM plain", code: "unknown_column" },
    { sql: "SELECT plain.missing FROM plain", code: "unknown_column" },
    { sql: 'SELECT "missing" FROM plain', code: "unknown_column" },
    { sql: "SELECT missing(1)", code: "database_error" },
    { sql: "SELECT abs(-9223372036854775807 - 1)", code: "database_error" },
    { sql: "SELECT zeroblob(2000000000)", code: "too_large" },
    { sql: "SELECT 1; SELECT 2", code: "multiple_statements" },
    { sql: "DELETE FROM plain", code: "not_read_only" },
    { sql: "SELECT load_extension('x')", code: "forbidden_function" },
  ],
  writes: [
    "INSERT INTO plain VALUES (4, 'four')",
    "INSERT INTO plain VALUES (4, 'four') RETURNING id",
    "UPDATE plain SET name = 'x'",
    "DELETE FROM plain",
    "REPLACE INTO plain VALUES (1, 'x')",
    "WITH x AS (SELECT 1) DELETE FROM plain",
    "DROP TABLE plain",
    "CREATE TABLE more (a)",
    "CREATE TEMP TABLE more (a)",
    "ALTER TABLE plain ADD COLUMN more",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT a",
    "PRAGMA user_version = 7",
    "PRAGMA writable_schema = 1",
    "PRAGMA query_only(0)",
    "EXPLAIN DELETE FROM plain",
  ],
  returning: true,
  emptyNames: true,
  isBusy: ({ target }) => isBusyWith("path" in target ? target.path : ""),
});
