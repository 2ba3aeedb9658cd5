/** The PostgreSQL engine: the conformance suite on real servers. What only PostgreSQL has is in tests/db/postgres/. */
import { driver } from "../../src/db/postgres/engine.ts";
import { Decimal, JsonText } from "../../src/db/values.ts";
import { databaseSuite } from "../suites/database_suite.ts";
import { createDatabase } from "../support/postgres_database.ts";
import { ADMIN, adminClient, type PostgresVersion, sharedPostgres } from "../support/postgres_server.ts";

for (const version of [12, 18] as const) await testOn(version);

async function testOn(version: PostgresVersion): Promise<void> {
  const server = await sharedPostgres(version);
  databaseSuite({
    name: `postgres ${version}`,
    driver,
    async create(setup) {
      const { name, drop } = await createDatabase(server, setup);
      const hosts = [{ host: "127.0.0.1", port: server.port }];
      return {
        target: {
          engine: "postgres",
          name,
          database: name,
          hosts,
          ...ADMIN,
          tls: { mode: "disable" },
          excludeSchemas: [],
        },
        [Symbol.asyncDispose]: drop,
      };
    },
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    schema: "public",
    types: { integer: "integer", varchar20: "varchar(20)", decimal: "numeric(10,2)" },
    zeroDefault: "0",
    sql: {
      numbers: (count) => `SELECT generate_series(1, ${count}) AS n`,
      endless: "SELECT count(*) FROM (SELECT generate_series(1, 9000000000000000)) AS endless",
      endlessRows: "SELECT generate_series(1, 9000000000000000) AS n",
      failsLate: "SELECT 1 / (15000 - n) FROM (SELECT generate_series(1, 20000) AS n) AS numbers",
    },
    values: [
      { sql: "NULL", cell: null, type: "text" },
      { sql: "1", cell: 1, type: "integer" },
      { sql: "9007199254740993", cell: 9007199254740993n, type: "bigint" },
      { sql: "1.10", cell: new Decimal("1.10"), type: "numeric" },
      { sql: "'NaN'::float8", cell: NaN, type: "double precision" },
      { sql: "false", cell: false, type: "boolean" },
      { sql: "'ü€😀'::varchar(20)", cell: "ü€😀", type: "varchar" },
      { sql: "'2024-02-29 01:02:03.5'::timestamp", cell: "2024-02-29T01:02:03.5", type: "timestamp" },
      {
        sql: "'2024-02-29 01:02:03+02'::timestamptz",
        cell: "2024-02-28T23:02:03+00:00",
        type: "timestamptz",
      },
      { sql: "'{\"a\": 1.0}'::json", cell: new JsonText('{"a": 1.0}'), type: "json" },
      { sql: "'\\x00ff10'::bytea", cell: Uint8Array.of(0, 255, 16), type: "bytea" },
      { sql: "ARRAY[[1, NULL]]", cell: [[1, null]], type: "integer[]" },
      { sql: "repeat('é', 100000)", cell: "é".repeat(100_000), type: "text" },
    ],
    faults: [
      { sql: "SELEC 1", code: "syntax_error" },
      { sql: "SELECT 1 FROM", code: "syntax_error" },
      { sql: "SELECT * FROM missing", code: "unknown_relation" },
      { sql: "SELECT * FROM missing.plain", code: "unknown_relation" },
      { sql: "SELECT missing FROM plain", code: "unknown_column" },
      { sql: "SELECT missing(id) FROM plain", code: "database_error" },
      { sql: "SELECT 1 / 0", code: "database_error" },
      { sql: "SELECT 'x'::int", code: "database_error" },
      { sql: "SELECT 1 / (3 - id) FROM plain", code: "database_error" },
    ],
    writes: [
      "INSERT INTO plain VALUES (4, 'four')",
      "UPDATE plain SET name = 'x'",
      "DELETE FROM plain",
      "TRUNCATE plain",
      "DROP TABLE plain",
      "CREATE TABLE other (a int)",
      "CREATE TEMP TABLE other (a int)",
      "SELECT * INTO other FROM plain",
      "ALTER TABLE plain ADD COLUMN x int",
      "WITH gone AS (DELETE FROM plain RETURNING id) SELECT * FROM gone",
      "SELECT * FROM plain FOR UPDATE",
      "EXPLAIN ANALYZE DELETE FROM plain",
      "COPY plain FROM STDIN",
      "VACUUM plain",
    ],
    returning: true,
    emptyNames: false,
    async isBusy({ target }) {
      const admin = adminClient(server, "postgres");
      const [row] = await admin`
        SELECT count(*)::int AS busy FROM pg_stat_activity
        WHERE datname = ${target.name} AND application_name = 'saber' AND state <> 'idle'`;
      await admin.end();
      return row?.busy > 0;
    },
  });
}
