import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { Fault } from "../../src/base/fault.ts";
import type { Dialect } from "../../src/db/driver.ts";
import { type LimitedStatement, limitRows } from "../../src/db/limit.ts";
import { judge } from "../../src/db/policy.ts";
import { DUCKDB_DIALECT, MYSQL_DIALECT, POSTGRES_DIALECT, SQLITE_DIALECT } from "../support/dialects.ts";

/** Small caps, so that the 300 rows of the table `t` are beyond both. */
const CAPS = { unlimited: 10, limited: 50 };

function limit(sql: string, dialect: Dialect = DUCKDB_DIALECT): LimitedStatement {
  return limitRows(judge(sql, { dialect, access: "read" }), CAPS);
}

const sqlite = new DatabaseSync(":memory:");
sqlite.exec(
  "CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 299) SELECT x AS a, x % 7 AS b FROM c",
);
const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
await duckdb.run("CREATE TABLE t AS SELECT range::INT AS a, (range % 7)::INT AS b FROM range(300)");

type Rows = readonly unknown[];

async function runDuckdb(sql: string): Promise<Rows> {
  return (await duckdb.runAndReadAll(sql)).getRowsJson();
}

function runSqlite(sql: string): Promise<Rows> {
  return Promise.resolve(sqlite.prepare(sql).all());
}

const BOTH = [
  "SELECT a FROM t ORDER BY a",
  "SELECT a FROM t ORDER BY a;",
  "SELECT a FROM t ORDER BY a -- the end",
  "SELECT a FROM t ORDER BY a /* the end */ ; -- really",
  "SELECT a FROM t ORDER BY a LIMIT 5",
  "SELECT a FROM t ORDER BY a LIMIT 50",
  "SELECT a FROM t ORDER BY a LIMIT 51",
  "SELECT a FROM t ORDER BY a LIMIT 200 OFFSET 20 -- LIMIT 3",
  "SELECT a FROM t ORDER BY a LIMIT 5 OFFSET 3 + 4",
  "SELECT a FROM t ORDER BY a LIMIT 1_00",
  "SELECT a FROM t ORDER BY a LIMIT 99999999999999999999999",
  "SELECT a FROM t ORDER BY a LIMIT 0",
  "SELECT a FROM t ORDER BY a limit/* x */200;",
  "SELECT a FROM t WHERE a IN (SELECT a FROM t LIMIT 3) ORDER BY a",
  "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 200) x ORDER BY a",
  "WITH x AS (SELECT a FROM t ORDER BY a LIMIT 200) SELECT * FROM x ORDER BY a",
  "WITH x AS (SELECT a FROM t) SELECT * FROM x ORDER BY a LIMIT 200",
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100) SELECT x FROM c ORDER BY x",
  "SELECT a FROM t UNION ALL SELECT a + 300 FROM t ORDER BY a",
  "SELECT a FROM t UNION SELECT a + 300 FROM t ORDER BY a LIMIT 200",
  "SELECT a, row_number() OVER (ORDER BY a) FROM t ORDER BY a",
  "SELECT a, sum(b) OVER w FROM t WINDOW w AS (ORDER BY a)",
  "SELECT 'LIMIT 3' AS \"LIMIT 4\" FROM t /* LIMIT 5 */",
  "SELECT count(*) FROM t",
  "VALUES (1), (2), (3)",
  "VALUES (1) UNION ALL SELECT a FROM t",
  "SELECT b, count(*) FROM t GROUP BY b HAVING count(*) > 1 ORDER BY b",
];

const DUCKDB = [
  "(SELECT a FROM t ORDER BY a)",
  "(SELECT a FROM t ORDER BY a LIMIT 200)",
  "((SELECT a FROM t ORDER BY a LIMIT 200)) -- x",
  "((SELECT a FROM t)) ORDER BY a",
  "(SELECT a FROM t) ORDER BY a LIMIT 200",
  "(SELECT a FROM t LIMIT 200) UNION ALL (SELECT a FROM t)",
  "WITH x AS (SELECT 1) (SELECT a FROM t ORDER BY a LIMIT 200)",
  "WITH x AS (SELECT 1) (SELECT a FROM t ORDER BY a)",
  "(WITH x AS (SELECT a FROM t) SELECT a FROM x ORDER BY a)",
  "SELECT a FROM t ORDER BY a OFFSET 5",
  "SELECT a FROM t ORDER BY a OFFSET 5 ROWS",
  "SELECT a FROM t ORDER BY a OFFSET 5 LIMIT 200",
  "SELECT a FROM t ORDER BY a FETCH FIRST 200 ROWS ONLY",
  "SELECT a FROM t ORDER BY a FETCH FIRST ROW ONLY",
  "SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 200 ROWS ONLY",
  "SELECT a FROM t ORDER BY a FETCH FIRST 200 ROWS ONLY OFFSET 5",
  "FROM t",
  "FROM t SELECT a ORDER BY a",
  "FROM t SELECT a ORDER BY a LIMIT 200",
  "SELECT a AS limit FROM t ORDER BY a",
  "SELECT x.limit FROM (SELECT a AS limit FROM t) x ORDER BY 1",
  "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) < 100 ORDER BY a",
  "SELECT a FROM t ORDER BY ALL",
  "SELECT $$LIMIT 5$$, E'LIMIT \\' 6' FROM t",
  "SELECT a FROM t UNION ALL BY NAME SELECT a FROM t",
  "FROM (UNPIVOT t ON a, b INTO NAME n VALUE v)",
  "SELECT * FROM (VALUES (1), (2)) v(x) LIMIT 200",
  "(VALUES (1), (2), (3))",
];

const SQLITE = [
  "SELECT a FROM t ORDER BY a LIMIT 5, 200",
  "SELECT a FROM t ORDER BY a LIMIT 5, 20",
  "SELECT a FROM t ORDER BY a LIMIT 100, 5",
  "SELECT a offset FROM t ORDER BY a",
  "SELECT a AS fetch, b AS [limit] FROM t ORDER BY a",
  "SELECT a FROM t UNION ALL VALUES (1)",
];

/** What the reader hands out: the first rows of the text that runs, up to the cap. */
async function handOut(
  sql: string,
  { dialect, run }: { dialect: Dialect; run: (sql: string) => Promise<Rows> },
): Promise<{ rows: Rows; truncated: boolean }> {
  const limited = limit(sql, dialect);
  const rows = await run(limited.sql);
  const isText = /^\(*VALUES|VALUES \(1\)$/.test(sql);
  assert.ok(rows.length <= limited.cap + 1 || isText, `${sql} -> ${limited.sql} gave ${rows.length} rows`);
  return { rows: rows.slice(0, limited.cap), truncated: rows.length > limited.cap };
}

for (
  const [engine, statements] of [
    [{ dialect: DUCKDB_DIALECT, run: runDuckdb }, [...BOTH, ...DUCKDB]],
    [{ dialect: SQLITE_DIALECT, run: runSqlite }, [...BOTH, ...SQLITE]],
  ] as const
) {
  Deno.test(`the capped text returns the first rows of the statement on ${engine.dialect.displayName}`, async () => {
    for (const sql of statements) {
      const all = await engine.run(sql.replace("99999999999999999999999", "1000"));
      const { cap } = limit(sql, engine.dialect);
      const { rows, truncated } = await handOut(sql, engine);
      assert.deepEqual(rows, all.slice(0, cap), sql);
      assert.equal(truncated, all.length > cap, sql);
    }
  });
}

Deno.test("only the number changes, or a LIMIT is added behind the last token", () => {
  const edits: [Dialect, string, string, boolean][] = [
    [DUCKDB_DIALECT, "SELECT 1", "SELECT 1 LIMIT 11", true],
    [DUCKDB_DIALECT, "SELECT 1 -- x", "SELECT 1 LIMIT 11 -- x", true],
    [DUCKDB_DIALECT, "SELECT 1--x", "SELECT 1 LIMIT 11--x", true],
    [DUCKDB_DIALECT, "SELECT 1/* x */;", "SELECT 1 LIMIT 11/* x */;", true],
    [DUCKDB_DIALECT, "SELECT 1 ;;", "SELECT 1 LIMIT 11 ;;", true],
    [DUCKDB_DIALECT, "(SELECT 1)", "(SELECT 1 LIMIT 11)", true],
    [DUCKDB_DIALECT, "((SELECT 1 ) )", "((SELECT 1 LIMIT 11 ) )", true],
    [DUCKDB_DIALECT, "(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2) LIMIT 11", true],
    [DUCKDB_DIALECT, "SELECT 1 LIMIT 50", "SELECT 1 LIMIT 50", false],
    [DUCKDB_DIALECT, "SELECT 1 LIMIT 51", "SELECT 1 LIMIT 51", false],
    [DUCKDB_DIALECT, "SELECT 1 LIMIT 5000 OFFSET 7", "SELECT 1 LIMIT 51 OFFSET 7", false],
    [DUCKDB_DIALECT, "SELECT 1 OFFSET 7", "SELECT 1 OFFSET 7 LIMIT 11", true],
    [POSTGRES_DIALECT, "SELECT 1 OFFSET 7 ROWS LIMIT 5000", "SELECT 1 OFFSET 7 ROWS LIMIT 51", false],
    [POSTGRES_DIALECT, "SELECT 1 FETCH NEXT 0005000 ROWS ONLY", "SELECT 1 FETCH NEXT 51 ROWS ONLY", false],
    [MYSQL_DIALECT, "SELECT 1 LIMIT 7, 5000 # x", "SELECT 1 LIMIT 7, 51 # x", false],
    [MYSQL_DIALECT, "SELECT offset FROM t", "SELECT offset FROM t LIMIT 11", true],
    [MYSQL_DIALECT, "SELECT @limit", "SELECT @limit LIMIT 11", true],
    [MYSQL_DIALECT, "VALUES ROW(1)", "VALUES ROW(1)", false],
    [SQLITE_DIALECT, "SELECT 0x10", "SELECT 0x10 LIMIT 11", true],
    [SQLITE_DIALECT, "EXPLAIN QUERY PLAN SELECT 1", "EXPLAIN QUERY PLAN SELECT 1", false],
    [SQLITE_DIALECT, "EXPLAIN SELECT 1 LIMIT 5000", "EXPLAIN SELECT 1 LIMIT 5000", false],
  ];
  for (const [dialect, sql, edited, added] of edits) {
    const limited = limit(sql, dialect);
    assert.deepEqual([limited.sql, limited.added], [edited, added]);
  }
});

Deno.test("where no cap applies the statement stays as it is, whatever its limit", () => {
  for (const sql of ["SELECT 1", "SELECT 1 LIMIT ALL", "SELECT 1 LIMIT 2 + 3"]) {
    const verdict = judge(sql, { dialect: POSTGRES_DIALECT, access: "read" });
    const limited = limitRows(verdict, { unlimited: Infinity, limited: Infinity });
    assert.deepEqual(limited, { sql, cap: Infinity, added: false });
  }
});

Deno.test("a limit that cannot be capped is refused with the form that can", () => {
  const forms = [
    "LIMIT ALL",
    "LIMIT NULL",
    "LIMIT -1",
    "LIMIT +1",
    "LIMIT 2+3000",
    "LIMIT 5000 - 1",
    "LIMIT 5 * 1000",
    "LIMIT (SELECT 5000)",
    "LIMIT (5)",
    "LIMIT '5'",
    "LIMIT 5::int",
    "LIMIT 1e9",
    "LIMIT 5.0",
    "LIMIT .5",
    "LIMIT 0x5",
    "LIMIT $1",
    "LIMIT x",
    "LIMIT abs(5)",
    "LIMIT",
    "LIMIT 10%",
    "LIMIT 10 PERCENT",
    "LIMIT 10 ROWS EXAMINED 5",
    "LIMIT 5, 2+3000",
    "LIMIT 5, -1",
    "LIMIT 5, ALL",
    "LIMIT 5, (5)",
    "LIMIT 1+1, 5",
    "LIMIT 5, 5, 5",
    "LIMIT 5, 5 OFFSET 5",
    "LIMIT 5 LIMIT 5",
    "LIMIT 5 FETCH FIRST 5 ROWS ONLY",
    "FETCH FIRST 5 ROWS WITH TIES",
    "FETCH FIRST ROW WITH TIES",
    "FETCH FIRST 5 PERCENT ROWS ONLY",
    "FETCH FIRST (5) ROWS ONLY",
    "FETCH FIRST -5 ROWS ONLY",
    "FETCH FIRST 5+3000 ROWS ONLY",
    "FETCH NEXT x ROWS ONLY",
    "FETCH FIRST 5",
  ];
  for (const form of forms) {
    for (
      const sql of [
        `SELECT a FROM t ${form}`,
        `(SELECT a FROM t ${form})`,
        `SELECT 1 UNION SELECT a FROM t ${form};`,
      ]
    ) {
      assert.throws(() => limit(sql, POSTGRES_DIALECT), (error) => {
        assert.ok(error instanceof Fault && error.code === "bad_limit", sql);
        assert.match(error.message, /^Cannot cap the statement's LIMIT: .*Write LIMIT and a number/);
        return true;
      }, sql);
    }
  }
});
