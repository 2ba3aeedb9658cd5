import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import type { Dialect } from "../../src/db/driver.ts";
import { judge } from "../../src/db/policy.ts";
import { DUCKDB_DIALECT, MYSQL_DIALECT, POSTGRES_DIALECT, SQLITE_DIALECT } from "../support/dialects.ts";

const ALL = [SQLITE_DIALECT, DUCKDB_DIALECT, POSTGRES_DIALECT, MYSQL_DIALECT];

/** The kind of statement, or the code of the refusal. */
function verdict(sql: string, dialect: Dialect): string {
  try {
    return judge(sql, { dialect, access: "write" }).kind;
  } catch (error) {
    assert.ok(error instanceof Fault, `${sql}: ${error}`);
    return error.code;
  }
}

const WRITES: [readonly Dialect[], string[]][] = [
  [ALL, [
    "INSERT INTO t VALUES (1)",
    "INSERT INTO t (a, b) SELECT a, b FROM u;",
    "INSERT INTO t SELECT * FROM u WHERE a > 1 -- all of them",
    "INSERT INTO t VALUES (1) RETURNING id",
    "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2",
    "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
    "INSERT INTO t WITH x AS (SELECT 1) SELECT * FROM x",
    "UPDATE t SET a = 1 WHERE id = 5",
    "UPDATE t SET a = 1 WHERE (id = 5)",
    "UPDATE t SET a = (SELECT max(b) FROM u) WHERE t.id IN (1, 2)",
    "UPDATE t SET note = 'no WHERE here' WHERE name LIKE 'a%'",
    "UPDATE t SET a = 1 WHERE active",
    "UPDATE t SET a = 1 WHERE NOT active",
    "UPDATE t SET a = 1 WHERE id = 5 AND 1 = 1",
    "UPDATE t SET a = 1 WHERE id = 5 OR id = 6",
    "UPDATE t SET a = 1 WHERE id BETWEEN 1 AND 5",
    "UPDATE t SET a = 1 WHERE NOT (id = 5 OR 1 = 1)",
    "DELETE FROM t WHERE id = 5",
    "DELETE FROM t WHERE date < '2024-01-01'",
    "DELETE FROM t WHERE time IS NULL AND text = 'x'",
    "UPDATE t SET a = 1 WHERE timestamp <= DATE '2024-01-01'",
    "DELETE FROM t WHERE id = 5 RETURNING *",
    "DELETE FROM t WHERE lower(name) = 'x'",
    "DELETE FROM t WHERE id IN (SELECT id FROM u)",
    "DELETE FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)",
    "DELETE FROM t AS x WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = x.id)",
    "DELETE FROM t WHERE created < CURRENT_DATE",
    "WITH x AS (SELECT 1 AS id) DELETE FROM t WHERE id IN (SELECT id FROM x)",
    "CREATE TABLE x (a int, b varchar(20) DEFAULT 'x')",
    "CREATE TEMP TABLE x AS SELECT * FROM t",
    "CREATE TABLE IF NOT EXISTS x AS WITH y AS (SELECT 1) SELECT * FROM y",
    "CREATE VIEW v AS SELECT a FROM t",
    "CREATE OR REPLACE VIEW v (a) AS SELECT a AS b FROM t",
    "CREATE UNIQUE INDEX i ON t (a, b)",
    "ALTER TABLE t ADD COLUMN a int",
    "ALTER TABLE t ADD a int",
    "ALTER TABLE t RENAME TO u",
    "ALTER TABLE t RENAME COLUMN a TO b",
  ]],
  [[POSTGRES_DIALECT, DUCKDB_DIALECT], [
    "ALTER TABLE IF EXISTS s.t ADD CONSTRAINT c CHECK (a > 0)",
    'ALTER TABLE ONLY "s"."t" ALTER COLUMN "a" TYPE numeric(10, 2), ALTER b SET DEFAULT 5, ADD c int',
    "ALTER TABLE t ALTER a SET DATA TYPE text USING (a::text)",
    "ALTER TABLE t ALTER COLUMN a DROP NOT NULL",
    "ALTER TABLE t ALTER a SET NOT NULL, ALTER b DROP DEFAULT",
    "INSERT INTO t BY NAME SELECT 1 AS a",
    "INSERT INTO t SELECT $$INTO x; DROP$$",
    "UPDATE t SET a = 1 FROM u WHERE u.id = t.id",
    "DELETE FROM t USING u WHERE t.id = u.id",
  ]],
  [[POSTGRES_DIALECT], [
    "WITH x AS (DELETE FROM t WHERE id = 1 RETURNING *) SELECT * FROM x",
    "WITH x AS (UPDATE t SET a = 1 WHERE id = 1 RETURNING a) INSERT INTO u SELECT * FROM x",
    "CREATE INDEX CONCURRENTLY i ON t USING gin (a)",
    "CREATE MATERIALIZED VIEW v AS SELECT 1",
    "CREATE TABLE x (LIKE t INCLUDING ALL)",
    "CREATE TABLE x AS TABLE t",
    "UPDATE t SET a = 1 WHERE b::int = 5",
  ]],
  [[SQLITE_DIALECT, DUCKDB_DIALECT, MYSQL_DIALECT], [
    "DELETE FROM t WHERE user = 'ann'",
    "UPDATE t SET a = 1 WHERE a > 0 AND user IS NOT NULL",
  ]],
  [[POSTGRES_DIALECT], [`DELETE FROM t WHERE "user" = 'ann'`, "DELETE FROM t WHERE t.user = 'ann'"]],
  [[SQLITE_DIALECT], [
    "INSERT OR REPLACE INTO t VALUES (1)",
    "INSERT OR IGNORE INTO [order; x] VALUES (1)",
    "CREATE VIRTUAL TABLE x USING fts5(a)",
    "UPDATE OR IGNORE t SET a = 1 WHERE id = 1",
  ]],
  [[MYSQL_DIALECT], [
    "INSERT IGNORE INTO t VALUES (1)",
    "INSERT LOW_PRIORITY IGNORE INTO t VALUES (1)",
    "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = a + 1",
    "DELETE t FROM t JOIN u ON u.id = t.id WHERE u.x = 1",
    "UPDATE t JOIN u ON u.id = t.id SET t.a = 1 WHERE u.b = 2 ORDER BY t.a LIMIT 5",
    "ALTER TABLE t MODIFY COLUMN a varchar(10), CHANGE b c int",
    "CREATE TABLE x (a int) SELECT 1 AS a",
  ]],
];

const REFUSED: [readonly Dialect[], string[]][] = [
  [ALL, [
    "CREATE OR REPLACE TABLE t (a int)",
    "create or replace temp table t AS SELECT 1 AS a",
    "UPDATE t SET a = 1",
    "DELETE FROM t",
    "DELETE FROM t;",
    "DELETE FROM t -- WHERE id = 1",
    "DELETE FROM t WHERE 1 = 1",
    "DELETE FROM t WHERE 1",
    "DELETE FROM t WHERE TRUE",
    "DELETE FROM t WHERE NOT FALSE",
    "DELETE FROM t WHERE NOT NOT TRUE",
    "DELETE FROM t WHERE 'a' = 'a'",
    "DELETE FROM t WHERE (1 = 1)",
    "DELETE FROM t WHERE ((TRUE))",
    "DELETE FROM t WHERE id = 5 OR 1 = 1",
    "DELETE FROM t WHERE 1 = 1 OR id = 5",
    "DELETE FROM t WHERE (id = 5 OR 1 = 1)",
    "DELETE FROM t WHERE (id = 5 OR TRUE) AND 1 = 1",
    "DELETE FROM t WHERE id = 5 OR (id = 6 OR 1 = 1)",
    "DELETE FROM t WHERE NOT (id = 5 AND 1 = 0)",
    "DELETE FROM t WHERE 1 BETWEEN 0 AND 2",
    "DELETE FROM t WHERE id = id",
    "DELETE FROM t WHERE length('x') = 1",
    "DELETE FROM t WHERE NULL IS NULL",
    "DELETE FROM t WHERE CURRENT_DATE > '2000-01-01'",
    "DELETE FROM t WHERE CAST('1' AS INTEGER) = 1",
    "DELETE FROM t WHERE CAST('1' AS TEXT) = '1'",
    "DELETE FROM t WHERE DATE '2024-01-02' > DATE '2000-01-01'",
    "DELETE FROM t WHERE TIMESTAMP '2024-01-02 00:00:00' IS NOT NULL",
    "DELETE FROM t WHERE CASE WHEN TRUE THEN TRUE ELSE FALSE END",
    "DELETE FROM t WHERE EXISTS (SELECT 1 FROM u)",
    "DELETE FROM t WHERE EXISTS (SELECT 1 FROM t WHERE t.id = 5)",
    "DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = 1)",
    "DELETE FROM t WHERE (SELECT count(*) FROM u) > 0",
    "DELETE FROM t WHERE 1 IN (SELECT id FROM u)",
    "DELETE FROM t WHERE id = 5 OR EXISTS (SELECT 1 FROM u)",
    "DELETE FROM t WHERE 1 = 1 ORDER BY id LIMIT 5",
    "UPDATE t SET a = (SELECT b FROM u WHERE u.id = 1)",
    "UPDATE t SET a = 1 WHERE 1 = 1 RETURNING id",
    "WITH x AS (SELECT 1) DELETE FROM t",
    "WITH x AS (SELECT id FROM u WHERE id = 5) UPDATE t SET a = 1",
    "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
    "WITH x AS (UPDATE t SET a = 1 RETURNING *) SELECT * FROM x WHERE id = 5",
    "DROP TABLE t",
    "DROP VIEW v",
    "DROP INDEX i",
    "TRUNCATE t",
    "TRUNCATE TABLE t",
    "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DELETE",
    "WITH x AS (SELECT 1) MERGE INTO t USING x ON true WHEN MATCHED THEN DELETE",
    "WITH a AS (MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE), b AS (DELETE FROM t WHERE id = 1) SELECT 1",
    "WITH a AS (DROP TABLE t) INSERT INTO t SELECT 1",
    "REPLACE INTO t VALUES (1)",
    "CREATE SCHEMA s",
    "CREATE DATABASE d",
    "CREATE SEQUENCE s",
    "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM u; END",
    "CREATE FUNCTION f() RETURNS int",
    "CREATE MACRO m(a) AS a + 1",
    "CREATE TYPE y AS ENUM ('a')",
    "CREATE USER u",
    "CREATE ROLE u",
    "CREATE EXTENSION x",
    "CREATE SECRET s (TYPE s3)",
    "CREATE FOREIGN TABLE x (a int) SERVER s",
    "CREATE TABLE x AS EXECUTE p",
    "CREATE TABLE x AS DELETE FROM t RETURNING *",
    "CREATE VIEW v",
    "CREATE VIEW v AS DELETE FROM t",
    "CREATE TABLE x AS SELECT 1 INTO y",
    "ALTER TABLE t DROP COLUMN a",
    "ALTER TABLE t DROP CONSTRAINT c",
    "ALTER TABLE t ADD a int, DROP COLUMN b",
    "ALTER TABLE t ADD (a int, b int), DROP b",
    "ALTER TABLE t OWNER TO u",
    "ALTER TABLE t ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE t DISABLE TRIGGER ALL",
    "ALTER TABLE t SET SCHEMA s",
    "ALTER TABLE t ALTER a DROP EXPRESSION",
    "ALTER TABLE t ADD PARTITION (PARTITION p VALUES IN (1))",
    "ALTER TABLE t",
    "ALTER VIEW v RENAME TO w",
    "ALTER USER u PASSWORD 'x'",
    "ALTER SYSTEM SET a = 1",
    "COPY t FROM 'x'",
    "LOAD DATA INFILE 'x' INTO TABLE t",
    "SET a = 1",
    "USE d",
    "PRAGMA journal_mode = off",
    "ATTACH 'x' AS y",
    "GRANT ALL ON t TO u",
    "REVOKE ALL ON t FROM u",
    "KILL 5",
    "LOCK TABLE t",
    "ANALYZE t",
    "VACUUM",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "COMMENT ON TABLE t IS 'x'",
    "REINDEX t",
    "CHECKPOINT",
    "INSTALL x",
    "CALL f()",
    "SELECT * INTO x FROM t",
    "INSERT INTO t SELECT a INTO x FROM u",
    "SELECT a FROM t FOR UPDATE",
    "INSERT INTO t SELECT a FROM u FOR UPDATE",
    "EXPLAIN DELETE FROM t WHERE id = 5",
    "EXPLAIN ANALYZE INSERT INTO t VALUES (1)",
  ]],
  [[POSTGRES_DIALECT], [
    "DELETE FROM t WHERE user = 'ann'",
    "DELETE FROM t WHERE CURRENT_SCHEMA = 'public'",
  ]],
  [[MYSQL_DIALECT], [
    "DELETE FROM t WHERE id = 5 || 1 = 1",
    "DELETE FROM t LIMIT 5",
    "UPDATE t SET a = 1 LIMIT 5",
    "INSERT INTO t SELECT 1 INTO OUTFILE 'x'",
    "DELETE FROM t WHERE id = 5 XOR 1",
    "CREATE DEFINER = root SQL SECURITY DEFINER VIEW v AS SELECT 1",
  ]],
];

Deno.test("what a session that writes may do", () => {
  for (const [dialects, statements] of WRITES) {
    for (const dialect of dialects) {
      for (const sql of statements) assert.equal(verdict(sql, dialect), "write", `${dialect.name}: ${sql}`);
    }
  }
});

Deno.test("what even a session that writes may not do", () => {
  for (const [dialects, statements] of REFUSED) {
    for (const dialect of dialects) {
      for (const sql of statements) {
        const expected = sql.includes("; END") ? "multiple_statements" : "not_read_only";
        assert.equal(verdict(sql, dialect), expected, `${dialect.name}: ${sql}`);
      }
    }
  }
});

Deno.test("reading stays reading in a session that writes", () => {
  for (const dialect of ALL) {
    assert.equal(verdict("SELECT a FROM t", dialect), "rows");
    assert.equal(verdict("WITH x AS (SELECT 1) SELECT * FROM x", dialect), "rows");
    assert.equal(verdict("EXPLAIN SELECT 1", dialect), "explain");
  }
});

Deno.test("a condition on text concatenated by || is one", () => {
  for (const dialect of [SQLITE_DIALECT, DUCKDB_DIALECT, POSTGRES_DIALECT]) {
    assert.equal(verdict("DELETE FROM t WHERE name = 'a' || 'b'", dialect), "write");
  }
});

Deno.test("a refusal says which part of the statement is at fault", () => {
  const texts: [string, RegExp][] = [
    ["DELETE FROM t", /DELETE without a condition on its columns changes every row\. Add a WHERE/],
    ["DROP TABLE t", /this form of DROP is not allowed\. There are SELECT, INSERT/],
    ["ALTER TABLE t DROP a", /this form of ALTER is not allowed/],
    ["1", /it begins with none of the words that are allowed/],
  ];
  for (const [sql, message] of texts) {
    assert.throws(() => judge(sql, { dialect: POSTGRES_DIALECT, access: "write" }), { message });
  }
});
