import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import type { Access, Dialect } from "../../src/db/driver.ts";
import { judge } from "../../src/db/policy.ts";
import { DUCKDB_DIALECT, MYSQL_DIALECT, POSTGRES_DIALECT, SQLITE_DIALECT } from "../support/dialects.ts";

const DIALECTS = {
  sqlite: SQLITE_DIALECT,
  duckdb: DUCKDB_DIALECT,
  postgres: POSTGRES_DIALECT,
  mysql: MYSQL_DIALECT,
};
type Name = keyof typeof DIALECTS;
const ALL = ["sqlite", "duckdb", "postgres", "mysql"] as const;

/** "ok", or the code of the refusal. */
function verdict(sql: string, dialect: Dialect, access: Access = "read"): string {
  try {
    judge(sql, { dialect, access });
    return "ok";
  } catch (error) {
    assert.ok(error instanceof Fault, `${sql}: ${error}`);
    assert.match(error.message, /^Cannot run the statement: .*\.$/s, sql);
    return error.code;
  }
}

const HONEST: [readonly Name[], string[]][] = [
  [ALL, [
    "SELECT 1",
    "select 1;",
    "SELECT 1 ; -- done",
    "SELECT 1;;",
    "  \n\t SELECT 1 /* c */ ; /* d */",
    "-- which?\nSELECT 1",
    "/* a */ /* b */ SELECT /* c */ 1",
    "SELECT 'INSERT INTO t; DELETE FROM t' AS note",
    "SELECT 1 -- ; DROP TABLE t",
    "SELECT 1 /* INTO OUTFILE */",
    "SELECT 'it''s; FOR UPDATE'",
    "SELECT t.into, t.limit, t.for FROM t",
    "SELECT created_at, updated_at, deleted FROM events WHERE drop_reason = 'x'",
    "SELECT a FROM t WHERE b IN (SELECT b FROM u) ORDER BY a DESC LIMIT 10 OFFSET 5",
    "SELECT a, count(*) FROM t GROUP BY a HAVING count(*) > 1",
    "SELECT 1 UNION ALL SELECT 2",
    "SELECT a FROM t INTERSECT SELECT a FROM u EXCEPT SELECT 3",
    "WITH x AS (SELECT 1 AS a) SELECT * FROM x",
    "WITH x(a, b) AS (SELECT 1, 2), y AS (SELECT * FROM x) SELECT * FROM y",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 10) SELECT * FROM c",
    "WITH x AS (WITH y AS (SELECT 1) SELECT * FROM y) SELECT * FROM x",
    "SELECT * FROM (WITH y AS (SELECT 1 AS a) SELECT a FROM y) z",
    "SELECT sum(x) OVER (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
    "SELECT CASE WHEN a THEN 'update' ELSE 'delete' END FROM t",
    "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)",
    "SELECT replace(name, 'a', 'b'), lower(name) FROM t",
    "SELECT x'00ff'",
    "SELECT 1e5, .5, 1., 0x1F, 1.5E-3",
    "SELECT 'ünïcode', straße FROM größe",
    "EXPLAIN SELECT 1",
    "EXPLAIN WITH x AS (SELECT 1) SELECT * FROM x",
    "VALUES (1), (2)",
    "SELECT * FROM (VALUES (1), (2)) v",
    "WITH v AS (VALUES (1)) SELECT * FROM v",
    "SELECT a.update, a.delete FROM a",
    "SELECT date FROM t WHERE name LIKE '%;%'",
  ]],
  [["sqlite"], [
    "EXPLAIN QUERY PLAN SELECT * FROM t",
    'SELECT [into], `limit`, "for update" FROM [order; details]',
    "SELECT data->>'$.a', data->'b' FROM t",
    "SELECT offset, key, action, for FROM log",
    "SELECT 'a\\'",
    "SELECT a FROM t ORDER BY a LIMIT 5, 10",
    "SELECT * FROM pragma_table_info('t')",
    "SELECT * FROM t WHERE name GLOB '*[a-z]*'",
    "WITH x AS NOT MATERIALIZED (SELECT 1) SELECT * FROM x",
    "SELECT a FROM t WHERE (a, b) IN (VALUES (1, 2))",
    "WITH 'x' AS (SELECT 1) SELECT * FROM x",
    "SELECT 1 -- ends with a return\r\n, 2",
  ]],
  [["duckdb", "postgres"], [
    "(SELECT 1)",
    "((SELECT 1) UNION (SELECT 2)) ORDER BY 1",
    "(WITH x AS (SELECT 1) SELECT * FROM x)",
    "SELECT $$it's; FOR UPDATE$$, $q$a $$ b; DROP$q$",
    "SELECT E'it\\'s; INSERT', 'C:\\'",
    "SELECT /* outer /* inner; DELETE */ still */ 1",
    "SELECT data->>'a', data#>>'{a,b}', a::text::int FROM t",
    "SELECT x AS into, y AS limit, z AS for FROM t",
    "SELECT ARRAY[1, 2][1], list[1:2] FROM t",
    "SELECT a FROM t FETCH FIRST 5 ROWS ONLY",
    "SELECT a FROM t OFFSET 5 ROWS FETCH NEXT ROW ONLY",
    "EXPLAIN (FORMAT json) SELECT 1",
    "WITH x AS MATERIALIZED (SELECT 1) (SELECT * FROM x)",
    "WITH update AS (SELECT 1), delete AS (SELECT 2) SELECT * FROM update, delete",
    "SELECT substring(a FROM 1 FOR 2) FROM t",
    "SELECT count(*) FILTER (WHERE a > 1) FROM t",
    'SELECT "INTO", "a""b; c" FROM "FOR UPDATE"',
    "WITH t AS (TABLE u) SELECT * FROM t",
    "SELECT x$y$z FROM t",
  ]],
  [["postgres"], [
    "EXPLAIN VERBOSE SELECT 1",
    "EXPLAIN (VERBOSE, COSTS off, FORMAT yaml) SELECT 1",
    "SELECT U&'\\0061', U&\"d\\0061t\" FROM t",
    "SELECT data ? 'key', data @> '{}', data @? '$.a', a ~* 'b', -a FROM t",
    "SELECT unnest(a) WITH ORDINALITY FROM t",
    "SELECT * FROM unnest(ARRAY[1]) WITH ORDINALITY AS u(a, n)",
    "SELECT ts AT TIME ZONE 'UTC', now()::timestamp WITH TIME ZONE FROM t",
    "SELECT substring(a FOR share) FROM t",
    "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SEARCH BREADTH FIRST BY a, b SET o SELECT * FROM t",
    "WITH RECURSIVE t(a) AS (SELECT 1 UNION SELECT a FROM t) CYCLE a, b SET c USING p, u AS (SELECT 1) SELECT * FROM t",
    "WITH RECURSIVE t AS (SELECT 1) SEARCH DEPTH FIRST BY a SET o CYCLE a SET c TO true DEFAULT false USING p SELECT 1",
    "SELECT B'101', X'1F', N'x'",
    "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b",
  ]],
  [["duckdb"], [
    "FROM t",
    "FROM t SELECT a LIMIT 5",
    "WITH x AS (FROM t) FROM x",
    "FROM (PIVOT t ON a USING sum(b))",
    "FROM (UNPIVOT t ON a, b INTO NAME n VALUE v)",
    "SELECT * FROM (DESCRIBE t)",
    "SELECT {'a': 1, 'b': [1, 2]}, [x FOR x IN [1, 2] IF x > 1]",
    "SELECT [x FOR update IN l] FROM t",
    "SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) FROM t",
    "SELECT #1, COLUMNS('a.*') FROM t",
    "WITH RECURSIVE x(a) USING KEY (a) AS (SELECT 1 UNION SELECT 2) SELECT * FROM x",
    "SELECT a FROM t USING SAMPLE 10 ROWS",
    "SELECT a: 1, b: 2",
  ]],
  [["mysql"], [
    "SELECT 1--1",
    "SELECT 1 # a comment; DROP TABLE t",
    'SELECT \'it\\\'s; INTO\', "and \\"this\\"; FOR UPDATE"',
    "SELECT `into`, `a``b; c`, t.`limit` FROM `for update`",
    "SELECT * FROM 2fa_tokens WHERE 1st = 3",
    "SELECT @@version, @limit, @into",
    "SELECT a FROM t LIMIT 5, 10",
    "EXPLAIN FORMAT=JSON SELECT 1",
    "EXPLAIN FORMAT = TREE SELECT 1",
    "SELECT '/*! not a comment */', \"/*+ nor this */\"",
    "(SELECT a FROM t LIMIT 1) UNION (SELECT 2)",
    "SELECT _utf8mb4'x' COLLATE utf8mb4_bin, N'y', 0b01",
    "SELECT offset FROM t USE INDEX FOR ORDER BY (i)",
    "VALUES ROW(1), ROW(2)",
  ]],
];

const REFUSED: [readonly Name[], string, string[]][] = [
  [ALL, "not_read_only", [
    "INSERT INTO t VALUES (1)",
    "-- hi\nDELETE FROM t",
    "/* x */ UPDATE t SET a = 1 WHERE id = 1",
    "DELETE FROM t WHERE id = 1",
    "REPLACE INTO t VALUES (1)",
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "CREATE TABLE x (a int)",
    "CREATE TEMP TABLE x (a int)",
    "DROP TABLE t",
    "ALTER TABLE t ADD a int",
    "TRUNCATE t",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT a",
    "SET a = 1",
    "RESET ALL",
    "PRAGMA table_info(t)",
    "ATTACH 'x' AS y",
    "DETACH y",
    "VACUUM",
    "VACUUM INTO 'x'",
    "ANALYZE t",
    "REINDEX t",
    "CHECKPOINT",
    "COPY t TO STDOUT",
    "COPY (SELECT 1) TO 'x'",
    "CALL f()",
    "EXECUTE p",
    "PREPARE p AS SELECT 1",
    "GRANT ALL ON t TO u",
    "LOCK TABLE t",
    "SHOW TABLES",
    "DESCRIBE t",
    "DESC t",
    "SUMMARIZE t",
    "TABLE t",
    "USE other",
    "LOAD x",
    "INSTALL x",
    "EXPORT DATABASE 'x'",
    "IMPORT DATABASE 'x'",
    "LISTEN x",
    "NOTIFY x",
    "COMMENT ON TABLE t IS 'x'",
    "EXPLAIN DELETE FROM t",
    "EXPLAIN INSERT INTO t VALUES (1)",
    "EXPLAIN ANALYZE SELECT 1",
    "EXPLAIN analyze verbose SELECT 1",
    "EXPLAIN ANALYSE SELECT 1",
    "EXPLAIN VERBOSE ANALYZE SELECT 1",
    "EXPLAIN /* x */ ANALYZE SELECT 1",
    "EXPLAIN (ANALYZE) SELECT 1",
    "EXPLAIN (COSTS off, ANALYZE) DELETE FROM t",
    "EXPLAIN (FORMAT json, analyze false) SELECT 1",
    "EXPLAIN EXPLAIN SELECT 1",
    "EXPLAIN t",
    "EXPLAIN",
    "WITH x AS (SELECT 1) DELETE FROM t -- limit",
    "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
    "WITH x AS (SELECT 1) UPDATE t SET a = 1",
    "WITH x AS (SELECT 1), y AS (SELECT 2) MERGE INTO t USING x ON true WHEN MATCHED THEN DELETE",
    "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
    "WITH x AS ((DELETE FROM t RETURNING *)) SELECT * FROM x",
    "WITH a AS (SELECT 1), x AS (UPDATE t SET a = 1 RETURNING a) SELECT * FROM x",
    "WITH x AS (WITH y AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM y) SELECT * FROM x",
    "SELECT * FROM (WITH y AS (DELETE FROM t RETURNING *) SELECT * FROM y) z",
    "WITH x AS (SELECT 1) (DELETE FROM t)",
    "SELECT * INTO x FROM t",
    "SELECT * FROM t INTO OUTFILE 'x'",
    "SELECT * FROM t INTO/**/DUMPFILE 'x'",
    "SELECT * FROM (SELECT a INTO x FROM t) y",
    "WITH x AS (SELECT 1) SELECT * INTO y FROM x",
    "SELECT t.as INTO x FROM t",
    "SELECT 1 AS as INTO x",
    "SELECT a FROM t FOR UPDATE",
    "SELECT a FROM t for\nshare",
    "SELECT a FROM t FOR NO KEY UPDATE",
    "SELECT a FROM t FOR KEY SHARE SKIP LOCKED",
    "SELECT a FROM (SELECT a FROM t FOR UPDATE) x",
    "WITH x AS (SELECT a FROM t FOR SHARE) SELECT * FROM x",
    "SELECT a FROM t LIMIT 1 FOR UPDATE OF t NOWAIT",
    "SELECT a FROM t LOCK IN SHARE MODE",
    "(DELETE FROM t)",
    "1",
    "'SELECT 1'",
    "()",
    "selectx 1",
    "\u017felect 1",
  ]],
  [["postgres", "duckdb"], "not_read_only", [
    'EXPLAIN ("analyze") SELECT 1',
    'EXPLAIN (FORMAT json, "analyze") SELECT 1',
    'EXPLAIN (VERBOSE, U&"an\\0061lyze") SELECT 1',
    'EXPLAIN (FORMAT "json") SELECT 1',
    "EXPLAIN (ANALYZE, COSTS) SELECT 1",
    "PIVOT t ON a USING sum(b)",
    '"SELECT" 1',
    "DO $$x$$",
    "SELECT @ INTO x",
    "SELECT substring((SELECT a FROM t FOR SHARE) FOR 2)",
    "SELECT ARRAY(SELECT a FROM t FOR UPDATE)",
    "SELECT 'a' INTO x -- '",
    "SELECT $a$ $b$ $a$ INTO x",
    "SELECT 'C:\\' INTO x --'",
    "SELECT E'\\'' INTO x --'",
    "SELECT E'\\\\' INTO x --'",
    "SELECT x$$ INTO y --$$",
  ]],
  [["mysql"], "not_read_only", [
    "SELECT a INTO @v FROM t",
    "HANDLER t OPEN",
    "FLUSH TABLES",
    "KILL 5",
    "EXPLAIN FORMAT=JSON INTO @x SELECT 1",
    "EXPLAIN FOR CONNECTION 5",
    "SET STATEMENT max_statement_time=0 FOR SELECT 1",
    "LOAD DATA INFILE 'x' INTO TABLE t",
    "SELECT '\\'' INTO @x -- '",
    'SELECT "\\"" INTO @x -- "',
    "SELECT `\\` INTO @x -- `",
    "SELECT 1--1 INTO @x",
    "SELECT 1 --\tcomment\n INTO @x",
    "SELECT 1 # 'comment\n INTO @x # '",
  ]],
  [["sqlite"], "not_read_only", [
    "SELECT [a'] INTO x -- ']",
    "SELECT `a'` INTO x -- '`",
    'SELECT "a\'" INTO x -- \'"',
    "SELECT 'a\\' INTO x --'",
    "SELECT /* /* */ 1 INTO x -- */",
  ]],
  [ALL, "multiple_statements", [
    "SELECT 1; DELETE FROM t",
    "SELECT 1; SELECT 2",
    "SELECT 1; COMMIT; INSERT INTO t VALUES (1)",
    "; SELECT 1",
    "SELECT 1;;SELECT 2",
    "SELECT (1; DELETE FROM t)",
    "SELECT 1 /* ; */ ; -- ;\n SELECT 2",
  ]],
  [["sqlite"], "multiple_statements", [
    "SELECT 1 AS [a'];DELETE FROM t WHERE v='x'",
    "SELECT 1 AS `a'`;DELETE FROM t WHERE v='x'",
    "SELECT /* /* */ 1; DELETE FROM t -- */",
  ]],
  [["mysql"], "multiple_statements", [
    "SELECT 1 AS `a'`;DELETE FROM t WHERE v='x'",
    "SELECT '\\\\';DELETE FROM t WHERE v='x'",
    "SELECT 1 -- \n;DELETE FROM t",
  ]],
  [["postgres", "duckdb"], "multiple_statements", [
    "SELECT $a$ ' $a$; DELETE FROM t WHERE v='x'",
    "SELECT '\\'; DELETE FROM t --'",
    "SELECT /* /* */ */ 1; DELETE FROM t",
  ]],
  [ALL, "not_understood", [
    "",
    "   ",
    ";",
    "-- nothing",
    "/* nothing */",
    "SELECT 'a",
    "SELECT /* a",
    "SELECT 1 /*",
    "SELECT (1",
    "SELECT 1)",
    "SELECT (1]",
    "SELECT 1\0",
    "SELECT '\0'",
    "SELECT '\ud800'",
    "SELECT\u00a01",
    "\ufeffSELECT 1",
    "SELECT 1 \u200b",
    "SELECT \x01 1",
    "SELECT 1 -- a\rINTO x",
    "SELECT 1INTO x",
    "SELECT 1.INTO x",
    "SELECT 1e5into x",
    "SELECT 1_INTO x",
    "SELECT 1FOR UPDATE",
    "WITH x SELECT 1",
    "WITH x AS SELECT 1",
    "WITH",
    "SELECT * FROM (WITH x DELETE FROM t) y",
  ]],
  [["postgres", "duckdb"], "not_understood", [
    "SELECT $$a",
    "SELECT $a$ $b$",
    'SELECT "a',
    "SELECT E'a\\'",
    "SELECT E'a'\n'\\'' INTO x --'",
    "SELECT e'a' -- c\n 'b'",
    "SELECT 1e'\\' INTO x --'",
    "SELECT 1$$a$$",
    "SELECT /* /* */ 1",
  ]],
  [["sqlite"], "not_understood", [
    "SELECT [a",
    "SELECT `a",
    "SELECT ?",
    "SELECT ?1",
    "SELECT :a",
    "SELECT @a",
    "SELECT $a(') , 1 --')",
    "SELECT #1",
  ]],
  [["mysql"], "not_understood", [
    "SELECT 1 /*! INTO OUTFILE 'x' */",
    "SELECT 1 /*!50000 INTO OUTFILE 'x' */",
    "SELECT 1 /*M!100100 INTO OUTFILE 'x' */",
    "SELECT /*+ SET_VAR(max_execution_time=0) */ 1",
    "SELECT 'a\\'",
    'SELECT "a\\"',
    "SELECT `a",
  ]],
];

Deno.test("honest statements pass", () => {
  let count = 0;
  for (const [names, statements] of HONEST) {
    for (const name of names) {
      for (const sql of statements) {
        for (const access of ["read", "write"] as const) {
          assert.equal(verdict(sql, DIALECTS[name], access), "ok", `${name} ${access}: ${sql}`);
          count++;
        }
      }
    }
  }
  assert.ok(count > 400, String(count));
});

Deno.test("what is no single reading statement is refused", () => {
  let count = 0;
  for (const [names, code, statements] of REFUSED) {
    for (const name of names) {
      for (const sql of statements) {
        assert.equal(verdict(sql, DIALECTS[name]), code, `${name}: ${sql}`);
        count++;
      }
    }
  }
  assert.ok(count > 400, String(count));
});

Deno.test("a refusal says what to do instead", () => {
  const hints: [string, RegExp][] = [
    ["TABLE t", /TABLE is not allowed, only .* Write SELECT \* FROM and the table's name\.$/],
    ["SHOW TABLES", /list_tables/],
    ["DESCRIBE t", /introspect_schema/],
    ["PRAGMA table_info(t)", /introspect_schema/],
    ["SUMMARIZE t", /introspect_schema/],
    ["EXPLAIN ANALYZE SELECT 1", /Write EXPLAIN without ANALYZE/],
    ["PIVOT t ON a", /SELECT \* FROM \(PIVOT …\)/],
    ["DELETE FROM t", /DELETE is not allowed.*Ask with SELECT/],
    ["SELECT 1; SELECT 2", /Run them one by one/],
    ["SELECT 'a", /at character 8, a quoted text begins and never ends/],
  ];
  for (const [sql, message] of hints) {
    assert.throws(() => judge(sql, { dialect: DUCKDB_DIALECT, access: "read" }), { message });
  }
});

/** A generator of numbers that is the same at each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

/** Spellings of nothing in each dialect: what stands in them must never matter. */
const NOTHING: Record<Name, string[]> = {
  sqlite: [" /* ; DELETE /* ' */ ", " -- INTO x; '\n", ' /* FOR UPDATE " ` [ */\t', "\n"],
  duckdb: [" /* ; /* ' $$ */ \" */ ", " -- INTO x; '\n", "\t/* $a$ */", "\n"],
  postgres: [" /* ; /* ' $$ */ \" */ ", " -- INTO x; '\n", "\t/* $a$ */", "\n"],
  mysql: [" /* ; DELETE ' \" ` */ ", " -- INTO x; '\n", " # FOR UPDATE ' `\n", "\n"],
};
/** Texts that hold the words and marks which would be refused outside of them. */
const TEXTS: Record<Name, string[]> = {
  sqlite: ["'a; -- /* '' INTO x'", '"; FOR UPDATE \'"', "[ ' ; -- ]", "`/* ' ``;`"],
  duckdb: ["'a; -- /* '' INTO x\\'", "$$ ' ; /* $a$$", "$q$ $$ ' -- $q$", "E'\\' ; INTO'", '"; FOR \'"'],
  postgres: ["'a; -- /* '' INTO x\\'", "$$ ' ; /* $a$$", "$q$ $$ ' -- $q$", "E'\\' ; INTO'", '"; FOR \'"'],
  mysql: ["'a; -- /*! '' INTO x\\''", '"; FOR \\" UPDATE \'"', "`/*! ' ``; \\`"],
};

Deno.test("comments, quoted texts and their nesting never change a verdict", () => {
  const next = random(20260727);
  const pick = (list: readonly string[]) => list[next(list.length)] ?? "";
  for (const name of ALL) {
    const cases: [string[], string][] = [
      [["SELECT", "(", "SELECT", "@", ")", "FROM", "t", "WHERE", "a", "=", "@"], "ok"],
      [["WITH", "x", "AS", "(", "SELECT", "@", ")", "SELECT", "*", "FROM", "x", ";"], "ok"],
      [["WITH", "x", "AS", "(", "SELECT", "@", ")", "DELETE", "FROM", "x"], "not_read_only"],
      [["SELECT", "@", "INTO", "x", "FROM", "t"], "not_read_only"],
      [["SELECT", "a", "FROM", "t", "WHERE", "b", "=", "@", "FOR", "UPDATE"], "not_read_only"],
      [["SELECT", "@", ";", "DELETE", "FROM", "t"], "multiple_statements"],
    ];
    for (const [words, expected] of cases) {
      for (let round = 0; round < 200; round++) {
        const sql = words.map((word) => {
          const text = word === "@" ? pick(TEXTS[name]) : word;
          return pick(NOTHING[name]) + text + (next(2) === 0 ? pick(NOTHING[name]) : " ");
        }).join("");
        assert.equal(verdict(sql, DIALECTS[name]), expected, `${name}: ${sql}`);
      }
    }
  }
});

Deno.test("judging takes time in proportion to the length, also for hostile text", () => {
  const times = (unit: string, count: number) => unit.repeat(count);
  const hostile = [
    `SELECT ${times("(", 150_000)}1${times(")", 150_000)}`,
    `SELECT ${times("--\n", 150_000)}1`,
    `SELECT ${times("/*", 100_000)}${times("*/", 100_000)}1`,
    `SELECT ${times("'a' AS ", 50_000)}b`,
    `SELECT ${times("$a$ $a$,", 50_000)}1`,
    `SELECT ${times("a.b.c,", 75_000)}1`,
    `WITH ${times("a AS (SELECT 1) SEARCH x,", 15_000)} SELECT 1`,
    times("(WITH a AS (", 30_000),
    `SELECT ${times("[", 200_000)}`,
    `DELETE FROM t WHERE ${times("NOT ", 100_000)}a`,
    `DELETE FROM t WHERE ${times("(", 200_000)}a${times(")", 200_000)}`,
    `DELETE FROM t WHERE ${times("a = 1 AND ", 40_000)}b`,
    `DELETE FROM t WHERE ${times("a BETWEEN 1 AND 2 OR ", 20_000)}b = 1`,
  ];
  for (const sql of hostile) {
    for (const dialect of [POSTGRES_DIALECT, SQLITE_DIALECT]) {
      const start = performance.now();
      verdict(sql, dialect, "write");
      const took = performance.now() - start;
      assert.ok(took < 50_000, `${sql.slice(0, 40)}: ${took} ms`);
    }
  }
  assert.equal(verdict(`SELECT '${times("x", 1_000_000)}'`, SQLITE_DIALECT), "too_large");
});
