/** SQLite's own walls, without any judgement of the text before them: what they stop, and what they must let through. */
import assert from "node:assert/strict";
import { faultOf, readRows, rows, run } from "../../suites/database_fixture.ts";
import { makeFile, openFile, runSql, type SqliteFile } from "../../support/sqlite_file.ts";

const SETUP = `
  CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO plain VALUES (1, 'one'), (2, 'two');
  CREATE INDEX plain_name ON plain (name);
  CREATE TABLE pragma_notes (a);
  INSERT INTO pragma_notes VALUES (1);
  CREATE VIEW shown AS SELECT name FROM plain;
  CREATE VIRTUAL TABLE words USING fts5(body);
  INSERT INTO words VALUES ('the quick brown fox'), ('lazy dogs');
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
  INSERT INTO boxes VALUES (1, 0, 10), (2, 20, 30);`;

/** Refused under both accesses. */
const NEVER = [
  "ATTACH ':memory:' AS other",
  "ATTACH 'FILE.other' AS other",
  "DETACH main",
  "VACUUM",
  "VACUUM INTO 'FILE.copy'",
  "BEGIN",
  "BEGIN IMMEDIATE",
  "COMMIT",
  "ROLLBACK",
  "SAVEPOINT a",
  "RELEASE a",
  "UPDATE sqlite_schema SET sql = ''",
  "DELETE FROM sqlite_master",
  "DELETE FROM words_data",
  "PRAGMA user_version",
  "PRAGMA user_version = 3",
  "PRAGMA table_info(plain)",
  "PRAGMA writable_schema = 1",
  "PRAGMA query_only(0)",
  "PRAGMA journal_mode = DELETE",
  "PRAGMA temp_store_directory('FILE')",
  "PRAGMA hard_heap_limit = 1",
  "PRAGMA main.wal_checkpoint",
  "/* x */ pRaGmA\n user_version",
  "EXPLAIN PRAGMA user_version = 3",
  "SELECT * FROM pragma_database_list",
  "SELECT * FROM pragma_user_version",
  "SELECT * FROM pragma_hard_heap_limit(1)",
  "SELECT * FROM pragma_wal_checkpoint",
  'SELECT * FROM "PRAGMA_DATABASE_LIST"',
  "SELECT (SELECT file FROM pragma_database_list)",
  "SELECT name FROM plain ORDER BY (SELECT file FROM pragma_database_list)",
  "SELECT load_extension('FILE')",
  "SELECT LOAD_EXTENSION('FILE', 'entry')",
  "SELECT name FROM plain WHERE load_extension('FILE')",
  "SELECT fts3_tokenizer('simple')",
  "SELECT fts3_tokenizer('simple', x'00')",
  "SELECT writefile('FILE.copy', 'x')",
  "SELECT readfile('FILE')",
  "SELECT edit('x')",
  "SELECT * FROM fsdir('.')",
  "SELECT * FROM zipfile('FILE')",
  "SELECT 1; DELETE FROM plain",
  "SELECT 1; -- x\n DELETE FROM plain",
  "SELECT 1;; SELECT 2",
  "; SELECT 1; SELECT 2",
  "SELECT 1;\v",
  "SELECT 1;\u00a0",
  "SELECT 1\0",
  "SELECT 1; \0 DELETE FROM plain",
];

/** Refused under access "read". */
const WRITES = [
  "INSERT INTO plain VALUES (3, 'three')",
  "REPLACE INTO plain VALUES (1, 'x')",
  "UPDATE plain SET name = 'x' RETURNING name",
  "DELETE FROM plain",
  "WITH x AS (SELECT 1) UPDATE plain SET name = 'x'",
  "EXPLAIN DELETE FROM plain",
  "EXPLAIN QUERY PLAN DELETE FROM plain",
  "CREATE TABLE more (a)",
  "CREATE TEMP TABLE more (a)",
  "CREATE TEMP VIEW more AS SELECT 1",
  "CREATE VIEW more AS SELECT 1",
  "CREATE INDEX more ON plain (id)",
  "CREATE TRIGGER more AFTER INSERT ON plain BEGIN SELECT 1; END",
  "CREATE VIRTUAL TABLE more USING fts5(a)",
  "CREATE VIRTUAL TABLE temp.more USING fts5(a)",
  "DROP TABLE plain",
  "DROP VIEW shown",
  "DROP INDEX plain_name",
  "ALTER TABLE plain RENAME TO other",
  "ALTER TABLE plain ADD COLUMN more",
  "ANALYZE",
  "REINDEX",
  "INSERT INTO words (words) VALUES ('rebuild')",
];

/** What honest work needs. */
const READS: readonly (readonly [sql: string, count: number])[] = [
  ["SELECT * FROM plain", 2],
  ["SELECT * FROM shown", 2],
  ["VALUES (1), (2)", 2],
  ["WITH x AS (SELECT 1) SELECT * FROM x", 1],
  ["WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 5) SELECT n FROM c", 5],
  ["SELECT 1 UNION SELECT 2 EXCEPT SELECT 3", 2],
  ["SELECT name, row_number() OVER (ORDER BY id), sum(id) OVER () FROM plain", 2],
  ["SELECT upper(name) || hex(randomblob(2)) || json_object('a', id) FROM plain", 2],
  ["SELECT value FROM json_each('[1, 2, 3]')", 3],
  ["SELECT * FROM json_tree('{\"a\": [1]}')", 3],
  ["SELECT date('2024-01-31', '+1 month'), strftime('%s', '1969-01-01'), datetime('now')", 1],
  ["SELECT body FROM words WHERE words MATCH 'quick'", 1],
  ["SELECT highlight(words, 0, '<', '>'), bm25(words) FROM words('fox')", 1],
  ["SELECT id FROM boxes WHERE x0 > 15", 1],
  ["SELECT name FROM plain WHERE name GLOB 't*' OR name LIKE 'o%'", 2],
  ["EXPLAIN QUERY PLAN SELECT * FROM plain WHERE name = 'one'", 1],
  ["SELECT name FROM pragma_table_info('plain')", 2],
  ["SELECT name FROM pragma_index_list('plain')", 1],
  ["SELECT name FROM pragma_table_list WHERE name = 'plain'", 1],
  ["SELECT a FROM pragma_notes", 1],
  ["SELECT sql FROM sqlite_schema WHERE name = 'plain'", 1],
  ["SELECT sql FROM sqlite_master WHERE name = 'plain'", 1],
  ["SELECT 'PRAGMA; DELETE FROM plain' AS \"ATTACH\" -- load_extension('x')", 1],
  ["/* lead */ SELECT 1 /* tail */ ; /* after */ ; -- end", 1],
  ["\ufeffSELECT 1;\ufeff", 1],
];

/** Everything that could show a change: the bytes of the file, and what stands beside it. */
async function state(file: SqliteFile): Promise<unknown> {
  const names = Array.from(Deno.readDirSync(file.folder), (entry) => entry.name).toSorted();
  return { names, bytes: (await Deno.readFile(file.path)).toBase64() };
}

for (const access of ["read", "write"] as const) {
  Deno.test(`SQLite itself stops what is never allowed, access "${access}"`, async (test) => {
    await using file = await makeFile(SETUP);
    await using opened = openFile(file, { access });
    const before = await state(file);
    for (const statement of NEVER) {
      const sql = statement.replaceAll("FILE", file.path);
      await test.step(JSON.stringify(statement), async () => {
        const fault = await faultOf(rows(opened.database, sql));
        assert.ok(fault.code !== "internal" && fault.code !== "closed", fault.code);
        assert.equal((await rows(opened.database, "SELECT * FROM plain")).length, 2);
        assert.deepEqual(await state(file), before);
      });
    }
  });

  Deno.test(`SQLite lets through what reads, access "${access}"`, async (test) => {
    await using file = await makeFile(SETUP);
    await using opened = openFile(file, { access });
    for (const [sql, count] of READS) {
      await test.step(sql, async () => {
        const cursor = await run(opened.database, sql);
        assert.equal((await readRows(cursor)).length, count);
        assert.equal(cursor.affected, undefined);
      });
    }
  });
}

Deno.test("SQLite itself stops every write under access read", async (test) => {
  await using file = await makeFile(SETUP);
  await using opened = openFile(file);
  const before = await state(file);
  for (const sql of WRITES) {
    await test.step(sql, async () => {
      assert.equal((await faultOf(rows(opened.database, sql))).code, "not_read_only");
      assert.deepEqual(await state(file), before);
    });
  }
});

Deno.test("what changes tables works under access write", async () => {
  await using file = await makeFile(SETUP);
  await using opened = openFile(file, { access: "write" });
  for (
    const sql of [
      "CREATE TABLE more AS SELECT * FROM plain",
      "ALTER TABLE more ADD COLUMN extra INTEGER NOT NULL DEFAULT 3 CHECK (extra > 0)",
      "ALTER TABLE more RENAME COLUMN extra TO added",
      "CREATE UNIQUE INDEX more_id ON more (id)",
      "INSERT INTO words VALUES ('another fox')",
      "CREATE VIRTUAL TABLE texts USING fts5(a)",
      "CREATE VIEW seen AS SELECT added FROM more",
      "DROP INDEX plain_name",
    ]
  ) await rows(opened.database, sql);
  assert.deepEqual(await rows(opened.database, "SELECT added FROM seen"), [[3], [3]]);
  assert.equal((await rows(opened.database, "SELECT * FROM words('fox')")).length, 2);
});

Deno.test("a deferred constraint that fails at the end undoes the statement", async () => {
  await using file = await makeFile(`
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);`);
  await using opened = openFile(file, { access: "write" });
  const fault = await faultOf(rows(opened.database, "INSERT INTO child VALUES (7) RETURNING id"));
  assert.equal(fault.code, "constraint");
  assert.deepEqual(await rows(opened.database, "SELECT * FROM child"), []);
});

Deno.test("a view made by somebody else can't do what a statement may not", async () => {
  await using file = await makeFile(SETUP);
  runSql(file.path, "CREATE VIEW trap AS SELECT load_extension('x') AS a");
  runSql(file.path, "CREATE VIEW places AS SELECT file FROM pragma_database_list");
  await using opened = openFile(file);
  for (const name of ["trap", "places"]) {
    const fault = await faultOf(rows(opened.database, `SELECT * FROM ${name}`));
    assert.ok(["forbidden_function", "not_read_only", "database_error"].includes(fault.code), fault.code);
  }
});

Deno.test("leaving the rows of a change early undoes it", async () => {
  await using file = await makeFile("CREATE TABLE t (n INTEGER)");
  await using opened = openFile(file, { access: "write" });
  const sql = "INSERT INTO t WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 9000) " +
    "SELECT n FROM c RETURNING n";
  const { batches } = await opened.database.run({
    sql,
    caps: { unlimited: 9, limited: 9 },
    signal: AbortSignal.timeout(10_000),
  });
  for await (const _ of batches) break;
  assert.deepEqual(await rows(opened.database, "SELECT count(*) FROM t"), [[0]]);
});
