/**
 * The DuckDB engine on real files: opening, the bound on statements at once, locks, errors, and writing.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Database } from "../../../src/db/driver.ts";
import { driver, openDuckDb } from "../../../src/db/duckdb.ts";
import { ask, duckdbFile, faultOf, testFolder } from "../../support/duckdb.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const READ = { access: "read", timeoutMs: 10_000 } as const;
const WRITE = { access: "write", timeoutMs: 10_000 } as const;
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/** Opens a file that the statements made, for the time of the test. */
async function withFile(
  statements: readonly string[],
  test: (database: Database, path: string) => Promise<void>,
  options: { access: "read" | "write"; timeoutMs: number } = READ,
): Promise<void> {
  await using folder = await testFolder();
  const target = await duckdbFile(folder.path, statements);
  const database = await driver.open(target, options);
  try {
    await test(database, target.path);
  } finally {
    await database.close();
  }
}

async function rowsOf(database: Database, sql: string): Promise<unknown> {
  return (await ask(database, sql)).rows;
}

Deno.test("what cannot be opened gets one sentence that names the file", async (t) => {
  await using folder = await testFolder();
  const at = (name: string) => join(folder.path, name);
  const { path } = await duckdbFile(folder.path, ["CREATE TABLE t AS SELECT range AS a FROM range(1000)"]);
  const bytes = await Deno.readFile(path);
  await Deno.writeFile(at("short.duckdb"), bytes.subarray(0, 9000));
  await Deno.writeFile(at("damaged.duckdb"), bytes.map((byte, index) => index === 5000 ? byte ^ 255 : byte));
  await Deno.writeTextFile(at("text.duckdb"), "not a database at all");
  await Deno.writeTextFile(at("empty.duckdb"), "");
  for (
    const name of ["short.duckdb", "damaged.duckdb", "text.duckdb", "empty.duckdb", "missing.duckdb", ""]
  ) {
    for (const options of [READ, WRITE]) {
      await t.step(`${name || "a directory"}, to ${options.access}`, async () => {
        const target = { engine: "duckdb", name: "x", path: at(name), excludeSchemas: [] } as const;
        const fault = await faultOf(() => driver.open(target, options));
        assert.equal(fault?.code, "bad_target");
        assert.match(fault.message, /^Cannot open \S+: [a-z][^\n{}]*\.$/);
        assert.ok(fault.message.includes(name) && !fault.message.includes(folder.path));
      });
    }
  }
  assert.deepEqual([...Deno.readDirSync(folder.path)].map((entry) => entry.name).sort(), [
    "damaged.duckdb",
    "empty.duckdb",
    "short.duckdb",
    "test.duckdb",
    "text.duckdb",
  ]);
});

Deno.test("statements run side by side, and further ones wait for their turn", async () => {
  await withFile([], async (database) => {
    const abort = new AbortController();
    const endless = Array.from(
      { length: 7 },
      () => faultOf(() => ask(database, ENDLESS, abort.signal)),
    );
    assert.deepEqual(await rowsOf(database, "SELECT 1"), [[1]]);
    const cursor = await database.run({
      sql: "FROM range(10000)",
      signal: new AbortController().signal,
      caps: { unlimited: 1000, limited: 1000 },
    });
    const waiting = rowsOf(database, "SELECT 2");
    const impatient = await faultOf(() => ask(database, "SELECT 3", AbortSignal.timeout(50)));
    assert.equal(impatient?.code, "timeout");
    await cursor.close();
    assert.deepEqual(await waiting, [[2]]);
    abort.abort();
    assert.deepEqual((await Promise.all(endless)).map((fault) => fault?.code), Array(7).fill("cancelled"));
  });
});

/** A program of its own that opens the file for writing, says so, and ends when its input does. */
async function writer(path: string): Promise<AsyncDisposable> {
  const code = `
    import { DuckDBInstance } from "@duckdb/node-api";
    const open = async () => {
      for (const end = Date.now() + ${PATIENCE_MS};;) {
        try {
          return await DuckDBInstance.create(${JSON.stringify(path)});
        } catch (error) { // somebody else has it still
          if (Date.now() > end) throw error;
          await new Promise((go) => setTimeout(go, 50));
        }
      }
    };
    const connection = await (await open()).connect();
    await connection.run("INSERT INTO t VALUES (7)");
    console.log("open");
    for await (const _ of Deno.stdin.readable);
    connection.closeSync();`;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const child = new Deno.Command("deno", {
    args: ["run", "-A", "-q", "--config", config, `data:application/typescript,${encodeURIComponent(code)}`],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.stdout.getReader();
  const { value } = await output.read();
  assert.equal(new TextDecoder().decode(value).trim(), "open");
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await output.cancel();
      await child.status;
    },
  };
}

Deno.test("a file that another program writes to is busy, and one that lies unused is given back", async () => {
  await using folder = await testFolder();
  const target = await duckdbFile(folder.path, ["CREATE TABLE t (a INTEGER)"]);
  const database = await openDuckDb(target, { ...READ, idleMs: 50 });
  try {
    assert.deepEqual(await rowsOf(database, "SELECT count(*) FROM t"), [[0]]);
    {
      await using _ = await writer(target.path); // it can open the file once it has been given back
      const fault = await faultOf(() => ask(database, "FROM t"));
      assert.equal(fault?.code, "busy");
      assert.match(fault.message, /another program has it open for writing/);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 100);
      assert.equal((await faultOf(() => ask(database, "FROM t", abort.signal)))?.code, "cancelled"); // not busy
      const opened = await faultOf(() => driver.open(target, { ...READ, timeoutMs: 5000 }));
      assert.equal(opened?.code, "busy");
    }
    assert.deepEqual(await rowsOf(database, "FROM t"), [[7]]);
  } finally {
    await database.close();
  }
});

Deno.test("errors have a code, a sentence of ours, and DuckDB's words apart", async (t) => {
  const cases: readonly (readonly [sql: string, code: string, position?: number])[] = [
    ["SELEC 1", "syntax_error", 1],
    ["SELECT 'é😀', 1 2", "syntax_error", 16],
    ["FROM nope", "unknown_relation", 6],
    ["FROM nope.nope", "unknown_relation", 6],
    ["SELECT b FROM t", "unknown_column", 8],
    ["SELECT nope(1)", "database_error", 8],
    ["SELECT CAST('x' AS INTEGER)", "database_error", 8],
    ["SELECT a + 9223372036854775807 FROM t", "database_error"],
    ["SELECT error('no')", "database_error"],
    ["SELECT (SELECT a FROM t)", "database_error"],
    ["SELECT $1", "database_error"],
  ];
  await withFile(["CREATE TABLE t AS SELECT range AS a FROM range(5)"], async (database) => {
    for (const [sql, code, position] of cases) {
      await t.step(sql, async () => {
        const fault = await faultOf(() => ask(database, sql));
        assert.equal(fault?.code, code);
        assert.match(fault.message, /^Cannot run the statement: [^\n{}]+\.$/);
        assert.ok(fault.server?.message && !fault.server.message.includes("exception_type"));
        assert.equal(fault.server.position, position);
      });
    }
  });
});

Deno.test("the file stays as it is, whatever a reading session runs", async (t) => {
  await using folder = await testFolder();
  const target = await duckdbFile(folder.path, ["CREATE TABLE t AS SELECT 1 AS a", "CREATE SEQUENCE s"]);
  const before = await Deno.readFile(target.path);
  const database = await driver.open(target, READ);
  try {
    const outside = join(folder.path, "out");
    for (
      const sql of [
        "INSERT INTO t VALUES (2)",
        "UPDATE t SET a = 2",
        "DELETE FROM t",
        "DROP TABLE t",
        "CREATE TEMP TABLE x (a INTEGER)",
        "SET VARIABLE x = 1",
        "SET threads = 1",
        "PRAGMA enable_profiling",
        "CALL enable_profiling()",
        "CHECKPOINT",
        "BEGIN",
        "PREPARE p AS SELECT 1",
        "ATTACH ':memory:' AS m",
        `ATTACH '${outside}'`,
        `COPY t TO '${outside}'`,
        `EXPORT DATABASE '${outside}'`,
        `IMPORT DATABASE '${outside}'`,
        "INSTALL httpfs",
        "LOAD httpfs",
        "CREATE SECRET (TYPE s3)",
        "VACUUM",
        "EXPLAIN ANALYZE SELECT 1",
        `EXPLAIN ANALYZE COPY t TO '${outside}'`,
        "EXPLAIN (ANALYZE) SELECT 1",
        "EXPLAIN (ANALYZE, FORMAT json) SELECT 1",
        "SELECT 1; DELETE FROM t",
        "SELECT nextval('s')",
        "FROM read_text('/etc/hostname')",
        "FROM '/etc/hostname.csv'",
        "FROM glob('/etc/*')",
        `FROM '${target.path}.csv'`,
      ]
    ) {
      await t.step(sql, async () => assert.ok(await faultOf(() => ask(database, sql))));
    }
  } finally {
    await database.close();
  }
  assert.deepEqual(await Deno.readFile(target.path), before);
  assert.deepEqual([...Deno.readDirSync(folder.path)].map((entry) => entry.name), ["test.duckdb"]);
});

Deno.test("a session that writes reports rows, commits only what succeeds, and reaches nothing else", async () => {
  await withFile(["CREATE TABLE t (a INTEGER PRIMARY KEY)"], async (database, path) => {
    const insert = await ask(database, "INSERT INTO t FROM range(5)");
    assert.deepEqual([insert.affected, insert.columns, insert.rows], [5, [], []]);
    const returning = await ask(database, "UPDATE t SET a = a + 10 WHERE a > 2 RETURNING a");
    assert.deepEqual([returning.affected, returning.rows], [2, [[13], [14]]]);
    assert.equal((await faultOf(() => ask(database, "INSERT INTO t VALUES (99), (1)")))?.code, "constraint");
    const abort = new AbortController();
    const endless = faultOf(() =>
      ask(database, "INSERT INTO t SELECT range + 100 FROM range(1000000000)", abort.signal)
    );
    setTimeout(() => abort.abort(), 200);
    assert.equal((await endless)?.code, "cancelled");
    const created = await ask(database, "CREATE TABLE u AS SELECT 1 AS b");
    assert.deepEqual([created.affected, created.columns], [undefined, []]);
    for (
      const sql of [
        "ATTACH ':memory:' AS m",
        "DROP TABLE t",
        "BEGIN",
        "CHECKPOINT",
        "SET threads = 1",
      ]
    ) {
      assert.equal((await faultOf(() => ask(database, sql)))?.code, "not_read_only", sql);
    }
    assert.equal(
      (await faultOf(() => ask(database, `COPY t TO '${path}.csv'`)))?.code,
      "permission_denied",
    );
    assert.equal(
      (await faultOf(() => ask(database, "INSERT INTO t FROM read_csv('/etc/passwd')")))?.code,
      "permission_denied",
    );
    assert.deepEqual(await rowsOf(database, "FROM t ORDER BY a"), [[0], [1], [2], [13], [14]]);
    await database.close();
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll("SELECT count(*) FROM t, u");
    assert.deepEqual(reader.getRows(), [[5n]]);
    connection.closeSync();
    instance.closeSync();
  }, WRITE);
});
