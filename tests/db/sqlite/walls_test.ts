/**
 * SQLite's own walls, without any judgement of the text before them: what they must let through, and what foreign files
 * can't make of that. What they stop is attacks_test.ts's.
 */
import assert from "node:assert/strict";
import { guard } from "../../../src/db/guarded.ts";
import { faultOf, readRows, rows, run } from "../../suites/database_fixture.ts";
import { makeFile, openFile, runSql } from "../../support/sqlite_file.ts";
import { VICTIM } from "./attack_list.ts";
import { HARMLESS } from "./harmless_list.ts";

for (const access of ["read", "write"] as const) {
  Deno.test(`SQLite lets through what reads, access "${access}"`, async (test) => {
    await using file = await makeFile(VICTIM);
    await using opened = openFile(file, { access });
    for (const [sql, count] of [...HARMLESS, ["\ufeffSELECT 1;\ufeff", 1]] as const) {
      await test.step(sql, async () => {
        const cursor = await run(opened.database, sql);
        assert.equal((await readRows(cursor)).length, count);
        assert.equal(cursor.affected, undefined);
      });
    }
  });
}

Deno.test("what reads passes the guard too", async (test) => {
  await using file = await makeFile(VICTIM);
  await using opened = openFile(file);
  const database = guard(opened.database, { access: "read", timeoutMs: 10_000 });
  for (const [sql, count] of HARMLESS) {
    await test.step(sql, async () => assert.equal((await rows(database, sql)).length, count));
  }
});

Deno.test("what changes tables works under access write", async () => {
  await using file = await makeFile(VICTIM);
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
  await using file = await makeFile(VICTIM);
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
