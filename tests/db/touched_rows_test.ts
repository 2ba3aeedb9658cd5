import assert from "node:assert/strict";
import { touchedRows } from "../../src/db/touched_rows.ts";
import { DUCKDB_DIALECT, MYSQL_DIALECT, POSTGRES_DIALECT, SQLITE_DIALECT } from "../support/dialects.ts";

const ALL = [SQLITE_DIALECT, DUCKDB_DIALECT, POSTGRES_DIALECT, MYSQL_DIALECT];

/** What the statement means in every dialect. */
const FOUND: readonly (readonly [sql: string, table: string, count?: number | string])[] = [
  ["INSERT INTO t VALUES (1)", "t", 1],
  ["INSERT INTO main.t (a, b) VALUES (1, (SELECT 2)), (3, 4) , (5, f(6));", "main.t", 3],
  ["INSERT INTO t (a) VALUES (1), (2) ON CONFLICT (a) DO NOTHING", "t", 2],
  ["INSERT INTO t DEFAULT VALUES", "t", 1],
  [
    "insert into t select a from u where a > 1",
    "t",
    "SELECT count(*) FROM (select a from u where a > 1) AS inserted",
  ],
  [
    "INSERT INTO t (a) SELECT u.a FROM u JOIN v ON u.a = v.a ON CONFLICT (a) DO UPDATE SET a = 2 RETURNING a",
    "t",
    "SELECT count(*) FROM (SELECT u.a FROM u JOIN v ON u.a = v.a) AS inserted",
  ],
  [
    "INSERT INTO t WITH x AS (SELECT 1) SELECT * FROM x",
    "t",
    "SELECT count(*) FROM (WITH x AS (SELECT 1) SELECT * FROM x) AS inserted",
  ],
  ["UPDATE t SET a = 1 WHERE id = 5", "t", "SELECT count(*) FROM t WHERE id = 5"],
  [
    "UPDATE shop.t AS x SET a = (SELECT max(b) FROM u WHERE b > 0) WHERE x.id IN (1, 2) RETURNING id",
    "shop.t",
    "SELECT count(*) FROM shop.t AS x WHERE x.id IN (1, 2)",
  ],
  [
    "UPDATE t x SET note = 'no WHERE here' -- where\n WHERE lower(x.name) LIKE 'a%' OR x.a = 1;",
    "t",
    "SELECT count(*) FROM t x WHERE lower(x.name) LIKE 'a%' OR x.a = 1",
  ],
  [
    "DELETE FROM t WHERE id IN (SELECT id FROM u)",
    "t",
    "SELECT count(*) FROM t WHERE id IN (SELECT id FROM u)",
  ],
  [
    "DELETE FROM t AS x WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = x.id) RETURNING *",
    "t",
    "SELECT count(*) FROM t AS x WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = x.id)",
  ],
  // more than one table, or not all of the rows: nothing is counted
  ["UPDATE t SET a = u.a FROM u WHERE t.id = u.id", "t"],
  ["DELETE FROM t USING u WHERE t.id = u.id", "t"],
  ["DELETE FROM t WHERE a = 1 ORDER BY b LIMIT 3", "t"],
  ["UPDATE t, u SET t.a = 1 WHERE t.id = u.id", "t"],
  ["UPDATE t SET a = 1", "t"],
  // counting would call what might do something
  ["UPDATE t SET a = 1 WHERE id = nextval('s')", "t"],
  ["DELETE FROM t WHERE id IN (SELECT s.drop_all(1))", "t"],
  ['INSERT INTO t SELECT "f"(1)', "t"],
];

Deno.test("the plain forms of INSERT, UPDATE and DELETE have a count of their rows, and harm nothing by it", () => {
  for (const dialect of ALL) {
    for (const [sql, table, count] of FOUND) {
      if (dialect === MYSQL_DIALECT && sql.includes('"f"')) continue; // there it is a text
      assert.deepEqual(
        touchedRows(sql, dialect.lexis),
        count === undefined ? { table } : { table, count },
        `${dialect.name}: ${sql}`,
      );
    }
  }
});

Deno.test("other statements change no rows that could be counted beforehand", () => {
  for (
    const sql of ["SELECT 1", "CREATE TABLE t AS SELECT 1", "WITH x AS (SELECT 1) DELETE FROM t WHERE a = 1"]
  ) {
    for (const { lexis } of ALL) assert.equal(touchedRows(sql, lexis), undefined, sql);
  }
});
