/**
 * Texts as statements, and statements as pages of their rows.
 */
import assert from "node:assert/strict";
import { pageOf, splitStatements } from "../../src/db/script.ts";
import { DUCKDB_DIALECT } from "../../src/db/duckdb/dialect.ts";
import { DIALECT as MYSQL } from "../../src/db/mysql/dialect.ts";
import { DIALECT as POSTGRES } from "../../src/db/postgres/dialect.ts";
import { SQLITE } from "../../src/db/sqlite/dialect.ts";

Deno.test("a text is divided at the semicolons between statements", () => {
  const cases: [text: string, parts: string[]][] = [
    ["SELECT 1", ["SELECT 1"]],
    ["SELECT 1; ;\n SELECT 2;", ["SELECT 1", "\n SELECT 2"]],
    ["SELECT ';' AS a, \"b;c\" -- d;e\n; SELECT $$;$$", [
      "SELECT ';' AS a, \"b;c\" -- d;e\n",
      " SELECT $$;$$",
    ]],
    ["-- nothing", []],
    ["  ", []],
    ["CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END", [
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END",
    ]],
    ["CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$; SELECT 2", [
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$",
      " SELECT 2",
    ]],
    // what cannot be divided surely is one statement, which the server judges
    ["SELECT 'open; SELECT 2", ["SELECT 'open; SELECT 2"]],
    ["SELECT 1e'; SELECT 2", ["SELECT 1e'; SELECT 2"]],
  ];
  for (const [text, parts] of cases) assert.deepEqual(splitStatements(text, POSTGRES.lexis), parts, text);
  const trigger = "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW IF NEW.x > 1 THEN SET NEW.x = 1; END IF";
  assert.deepEqual(splitStatements(trigger, MYSQL.lexis), [trigger]);
  assert.deepEqual(splitStatements("SELECT ?1; SELECT :a", SQLITE.lexis), ["SELECT ?1", " SELECT :a"]);
});

Deno.test("a page is asked for where a LIMIT has a plain place", () => {
  const lexis = POSTGRES.lexis;
  const cases: [sql: string, page: string][] = [
    ["SELECT a FROM t", "SELECT a FROM t LIMIT 11 OFFSET 10"],
    ["SELECT a FROM t -- all\n", "SELECT a FROM t LIMIT 11 OFFSET 10"],
    ["SELECT a FROM t LIMIT 15", "SELECT a FROM t LIMIT 5 OFFSET 10"],
    ["SELECT a FROM t LIMIT 5", "SELECT a FROM t LIMIT 0 OFFSET 10"],
    ["SELECT a FROM t LIMIT 100 OFFSET 7", "SELECT a FROM t LIMIT 11 OFFSET 17"],
    ["SELECT a FROM t OFFSET 7 LIMIT 12", "SELECT a FROM t LIMIT 2 OFFSET 17"],
    ["SELECT a FROM t OFFSET 7", "SELECT a FROM t LIMIT 11 OFFSET 17"],
    ["SELECT a FROM t OFFSET 9007199254740990", "SELECT a FROM t LIMIT 0"],
    [
      "SELECT a FROM (SELECT a FROM t LIMIT 3) x",
      "SELECT a FROM (SELECT a FROM t LIMIT 3) x LIMIT 11 OFFSET 10",
    ],
    [
      "WITH x AS (SELECT 1 LIMIT 2) SELECT * FROM x",
      "WITH x AS (SELECT 1 LIMIT 2) SELECT * FROM x LIMIT 11 OFFSET 10",
    ],
    ["VALUES (1), (2)", "VALUES (1), (2) LIMIT 11 OFFSET 10"],
    ["TABLE t", "TABLE t LIMIT 11 OFFSET 10"],
    ["SELECT 'LIMIT 3' AS \"LIMIT\"", "SELECT 'LIMIT 3' AS \"LIMIT\" LIMIT 11 OFFSET 10"],
  ];
  for (const [sql, expected] of cases) {
    assert.deepEqual(pageOf(sql, { lexis, limit: 10, page: 2 }), { sql: expected, kind: "page" }, sql);
  }
});

Deno.test("a text stays as it is where a LIMIT has none", () => {
  const whole = [
    "SELECT a FROM t LIMIT ALL",
    "SELECT a FROM t LIMIT 1 + 1",
    "SELECT a FROM t FETCH FIRST 3 ROWS ONLY",
    "SELECT a FROM t FOR UPDATE",
    "(SELECT 1) UNION (SELECT 2)",
    "SHOW search_path",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1",
  ];
  for (const sql of whole) {
    assert.deepEqual(pageOf(sql, { lexis: POSTGRES.lexis, limit: 10, page: 2 }), { sql, kind: "rows" }, sql);
  }
  assert.equal(pageOf("SELECT a FROM t LIMIT 1, 2", { lexis: MYSQL.lexis, limit: 10, page: 1 }).kind, "rows");
  assert.equal(pageOf("VALUES (1)", { lexis: SQLITE.lexis, limit: 10, page: 1 }).kind, "rows");
  assert.equal(pageOf("FROM t", { lexis: DUCKDB_DIALECT.lexis, limit: 10, page: 1 }).kind, "rows");
});

Deno.test("what may change data is run once", () => {
  const once = [
    "INSERT INTO t VALUES (1) RETURNING a",
    "WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x",
    "SELECT a INTO u FROM t",
    "WITH x AS (SELECT 1 AS a) SELECT a INTO u FROM x",
    "WITH x AS (SELECT 1) UPDATE t SET a = 1",
    "EXPLAIN ANALYZE DELETE FROM t",
    "CALL p()",
    "BEGIN",
    "DO $$ BEGIN END $$",
    "CREATE TABLE t AS SELECT 1",
  ];
  for (const sql of once) {
    assert.deepEqual(pageOf(sql, { lexis: POSTGRES.lexis, limit: 10, page: 1 }), { sql, kind: "once" }, sql);
  }
});
