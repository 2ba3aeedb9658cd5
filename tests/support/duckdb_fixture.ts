/**
 * What DuckDB tells the database suite about itself, whatever it has opened.
 */
import { Decimal } from "../../src/db/values.ts";
import type { EngineFixture } from "../suites/database_fixture.ts";
import { cpuMs } from "./duckdb.ts";
import { DUCKDB_VALUES } from "./duckdb_values.ts";

/** How long processor time is watched, in milliseconds. */
const WATCH_MS = 60;

type Shared = Omit<EngineFixture, "name" | "driver" | "create">;

export const DUCKDB_FIXTURE: Shared = {
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  schema: "main",
  types: { integer: "INTEGER", varchar20: "VARCHAR", decimal: "DECIMAL(10,2)" },
  zeroDefault: "0",
  sql: {
    numbers: (count) => `SELECT range AS n FROM range(1, ${count} + 1)`,
    endless: "SELECT count(*) FROM range(100000000000) a, range(1000) b",
    endlessRows: "SELECT range AS n FROM range(100000000000)",
    failsLate: "SELECT CASE WHEN range = 20000000 THEN error('late') ELSE range END FROM range(30000000)",
  },
  values: [
    { sql: "1", cell: 1, type: "INTEGER" },
    { sql: "1.50", cell: new Decimal("1.50"), type: "DECIMAL(3,2)" },
    ...DUCKDB_VALUES,
  ],
  faults: [
    { sql: "SELEC 1", code: "syntax_error" },
    { sql: "SELECT 1 FROM", code: "syntax_error" },
    { sql: "SELECT 'open", code: "syntax_error" },
    { sql: "SELECT * FROM missing", code: "unknown_relation" },
    { sql: "SELECT * FROM missing.plain", code: "unknown_relation" },
    { sql: "SELECT missing FROM plain", code: "unknown_column" },
    { sql: "SELECT plain.missing FROM plain", code: "unknown_column" },
    { sql: 'SELECT "missing" FROM plain', code: "unknown_column" },
    { sql: "SELECT missing(1)", code: "database_error" },
    { sql: "SELECT CAST(name AS INTEGER) FROM plain", code: "database_error" },
    { sql: "SELECT 9223372036854775807 + id FROM plain", code: "database_error" },
    { sql: "SELECT $1", code: "database_error" },
    { sql: "SELECT 1; SELECT 2", code: "multiple_statements" },
    { sql: "SELECT * FROM read_csv('/etc/passwd')", code: "permission_denied" },
  ],
  writes: [
    "CREATE TABLE more (a INTEGER)",
    "CREATE TEMP TABLE more (a INTEGER)",
    "CREATE OR REPLACE VIEW plain AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "CREATE SEQUENCE s",
    "CREATE SECRET (TYPE s3)",
    "DROP TABLE plain",
    'DROP VIEW "plain names"',
    "ALTER TABLE plain ADD COLUMN more INTEGER",
    "COMMENT ON TABLE plain IS 'x'",
    "TRUNCATE plain",
    "COPY plain TO 'plain.csv'",
    "EXPORT DATABASE 'folder'",
    "IMPORT DATABASE 'folder'",
    "ATTACH ':memory:' AS other",
    "USE memory",
    "SET threads = 1",
    "SET VARIABLE x = 1",
    "RESET threads",
    "PRAGMA enable_profiling",
    "CALL enable_profiling()",
    "CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "INSTALL httpfs",
    "LOAD httpfs",
    "EXPLAIN DELETE FROM plain",
    "EXPLAIN ANALYZE SELECT 1",
    "EXPLAIN (ANALYZE) SELECT 1",
    "EXPLAIN (ANALYZE, FORMAT json) SELECT 1",
    "EXPLAIN ANALYZE DELETE FROM plain",
  ],
  returning: true,
  emptyNames: false,
  async isBusy() {
    const before = cpuMs();
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
    return cpuMs() - before > WATCH_MS / 2;
  },
};
