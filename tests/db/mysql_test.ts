/** The MySQL engine: the conformance suite on a real MariaDB server. What only this engine has is in tests/db/mysql/. */
import { driver } from "../../src/db/mysql/engine.ts";
import { Decimal, JsonText } from "../../src/db/values.ts";
import { databaseSuite } from "../suites/database_suite.ts";
import { AdminClient, runningStatements, sharedMariadb } from "../support/mariadb_server.ts";
import { mysqlTarget } from "../support/mysql_database.ts";

const server = await sharedMariadb();
const DATABASE = "suite";

databaseSuite({
  name: "mysql",
  driver,
  async create(setup) {
    const admin = new AdminClient(server, "mysql");
    await admin.run(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4`, `USE ${DATABASE}`, ...setup);
    return {
      target: mysqlTarget({ server, target: { database: DATABASE } }),
      async [Symbol.asyncDispose]() {
        await admin.run(`DROP DATABASE ${DATABASE}`);
        admin.end();
      },
    };
  },
  quote: (name) => `\`${name.replaceAll("`", "``")}\``,
  schema: DATABASE,
  types: { integer: "int", varchar20: "varchar(20)", decimal: "decimal(10,2)" },
  zeroDefault: "0",
  sql: {
    numbers: (count) => `SELECT seq AS n FROM seq_1_to_${count}`,
    endless: "SELECT count(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b",
    endlessRows: "SELECT a.seq FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b",
    failsLate: "SELECT seq, 9223372036854775806 + (seq > 15000) * 5 FROM seq_1_to_20000",
  },
  values: [
    { sql: "NULL", cell: null, type: "" },
    { sql: "1", cell: 1, type: "int" },
    { sql: "TRUE", cell: 1, type: "int" },
    { sql: "9007199254740991", cell: 9007199254740991, type: "bigint" },
    { sql: "9007199254740993", cell: 9007199254740993n },
    { sql: "-9007199254740993", cell: -9007199254740993n },
    { sql: "9223372036854775807", cell: 9223372036854775807n },
    { sql: "-9223372036854775808", cell: -9223372036854775808n },
    { sql: "18446744073709551615", cell: 18446744073709551615n, type: "bigint unsigned" },
    { sql: "0.10", cell: new Decimal("0.10"), type: "decimal" },
    { sql: "-12345678901234567890.123456789", cell: new Decimal("-12345678901234567890.123456789") },
    { sql: "0.1e0", cell: 0.1, type: "double" },
    { sql: "CAST(0.1 AS FLOAT)", cell: 0.1, type: "float" },
    { sql: "5e-324", cell: 5e-324 },
    { sql: "1.7976931348623157e308", cell: 1.7976931348623157e308 },
    { sql: "''", cell: "", type: "varchar" },
    { sql: "'ü€😀'", cell: "ü€😀" },
    { sql: "CONCAT('a', CHAR(1, 10 USING utf8mb4), '\u2028\"\\\\')", cell: 'a\u0001\n\u2028"\\' },
    { sql: "x''", cell: new Uint8Array(0) },
    { sql: "x'00ff10'", cell: Uint8Array.of(0, 255, 16), type: "varbinary" },
    { sql: "CAST(REPEAT(CHAR(0), 300000) AS BINARY)", cell: new Uint8Array(300_000) },
    { sql: "REPEAT('é', 100000)", cell: "é".repeat(100_000) },
    { sql: "DATE '2024-02-29'", cell: "2024-02-29", type: "date" },
    { sql: "TIMESTAMP '2024-02-29 12:34:56.789012'", cell: "2024-02-29T12:34:56.789012", type: "datetime" },
    { sql: "TIME '-25:00:01'", cell: "-25:00:01", type: "time" },
    {
      sql: "JSON_OBJECT('a', 12345678901234567890)",
      cell: new JsonText('{"a": 12345678901234567890}'),
      type: "json",
    },
    { sql: "POINT(1, 2)", cell: "POINT(1 2)" },
  ],
  faults: [
    { sql: "SELEC 1", code: "syntax_error" },
    { sql: "SELECT 1 FROM", code: "syntax_error" },
    { sql: "SELECT 'open", code: "syntax_error" },
    { sql: "SELECT ?", code: "syntax_error" },
    { sql: "SELECT * FROM missing", code: "unknown_relation" },
    { sql: "SELECT * FROM missing.plain", code: "unknown_relation" },
    { sql: "SELECT missing FROM plain", code: "unknown_column" },
    { sql: "SELECT plain.missing FROM plain", code: "unknown_column" },
    { sql: "SELECT missing(1)", code: "database_error" },
    { sql: "SELECT 9223372036854775807 + 1", code: "database_error" },
    { sql: "SELECT (SELECT id FROM plain)", code: "database_error" },
    { sql: "SELECT 1; SELECT 2", code: "syntax_error" },
    { sql: "DELETE FROM plain", code: "not_read_only" },
    { sql: "LOAD DATA LOCAL INFILE 'x' INTO TABLE plain", code: "not_read_only" },
  ],
  writes: [
    "INSERT INTO plain VALUES (4, 'four')",
    "INSERT INTO plain VALUES (4, 'four') RETURNING id",
    "UPDATE plain SET name = 'x'",
    "DELETE FROM plain",
    "DELETE FROM plain RETURNING id",
    "REPLACE INTO plain VALUES (1, 'x')",
    "TRUNCATE plain",
    "DROP TABLE plain",
    "CREATE TABLE more (a INT)",
    "CREATE TEMPORARY TABLE more (a INT)",
    "CREATE OR REPLACE TABLE plain (a INT)",
    "CREATE TABLE more AS SELECT * FROM plain",
    "CREATE VIEW more AS SELECT 1",
    "CREATE FUNCTION f() RETURNS INT RETURN 1",
    "CREATE DATABASE more",
    "ALTER TABLE plain ADD COLUMN more INT",
    "RENAME TABLE plain TO more",
    "GRANT SELECT ON plain TO reader",
    "LOCK TABLES plain WRITE",
    "SELECT * FROM plain FOR UPDATE",
    "EXECUTE IMMEDIATE 'DELETE FROM plain'",
    "BEGIN NOT ATOMIC DELETE FROM plain; END",
    "SET STATEMENT tx_read_only = 0 FOR DELETE FROM plain",
    "SET STATEMENT tx_read_only = 0 FOR CREATE TABLE more (a INT)",
    "ANALYZE DELETE FROM plain",
    "EXPLAIN DELETE FROM plain",
    "OPTIMIZE TABLE plain",
    "CALL missing()",
  ],
  returning: true,
  emptyNames: true,
  plainUnicodeNames: true,
  async isBusy() {
    return (await runningStatements(server)).some((sql) => sql.includes("seq_1_to_1000000000"));
  },
});
