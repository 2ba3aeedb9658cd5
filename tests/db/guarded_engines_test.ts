/**
 * The guard in front of the real engines: caps and their report, refusals that leave the file as it is, clocks and aborts.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { Fault } from "../../src/base/fault.ts";
import { Databases } from "../../src/db/databases.ts";
import type { Cursor, Database, RowCaps } from "../../src/db/driver.ts";
import { ENGINES } from "../../src/db/registry.ts";
import { resolveTargets } from "../../src/db/resolve.ts";

const CAPS = { unlimited: 1000, limited: 2000 };
const CREATE =
  "CREATE TABLE t AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) " +
  "SELECT n FROM c";
const ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

const NO_CONNECTIONS = {
  find: () => Promise.resolve(undefined),
  defaultName: () => Promise.resolve(undefined),
};

/** A file with the table `t` of the numbers 1 to 5000, by engine. */
const PLACES = {
  async sqlite(): Promise<string> {
    const path = `${await Deno.makeTempDir()}/numbers.db`;
    const database = new DatabaseSync(path);
    database.exec(CREATE);
    database.close();
    return path;
  },
  async duckdb(): Promise<string> {
    const path = `${await Deno.makeTempDir()}/numbers.duckdb`;
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(CREATE);
    connection.closeSync();
    instance.closeSync();
    return path;
  },
  async files(): Promise<string> {
    const path = `${await Deno.makeTempDir()}/t.csv`;
    await Deno.writeTextFile(
      path,
      `n\n${Array.from({ length: 5000 }, (_, index) => index + 1).join("\n")}\n`,
    );
    return path;
  },
};

type Name = keyof typeof PLACES;
const NAMES: readonly Name[] = ["sqlite", "duckdb", "files"];

/** One database of the engine, opened as the program opens it. */
async function openOne(engine: Name, { timeoutMs = 20_000 } = {}) {
  const path = await PLACES[engine]();
  const targets = await resolveTargets([path], { cwd: Deno.cwd(), saved: NO_CONNECTIONS });
  assert.equal(targets[0].engine, engine);
  const databases = new Databases(targets, { engines: ENGINES, access: "read", timeoutMs });
  return {
    path,
    database: await databases.get(targets[0].name),
    [Symbol.asyncDispose]: () => databases.close(),
  };
}

function run(database: Database, sql: string, signal = new AbortController().signal): Promise<Cursor> {
  const caps: RowCaps = CAPS;
  return database.run({ sql, caps, signal });
}

async function readAll(cursor: Cursor): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of cursor.batches) rows.push(...batch.map((row) => row[0]));
  return rows;
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof Fault, String(error));
  return error;
}

async function digest(path: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path))).toHex();
}

for (const name of NAMES) {
  Deno.test(`${name}: rows up to the cap, and whether there were more`, async () => {
    await using opened = await openOne(name);
    const cases: [string, number, boolean, boolean][] = [
      ["SELECT n FROM t ORDER BY n", 1000, true, true],
      ["SELECT n FROM t ORDER BY n; -- all", 1000, true, true],
      ["SELECT n FROM t WHERE n <= 1000 ORDER BY n", 1000, true, false],
      ["SELECT n FROM t WHERE n <= 1001 ORDER BY n", 1000, true, true],
      ["SELECT n FROM t ORDER BY n LIMIT 2000", 2000, false, false],
      ["SELECT n FROM t ORDER BY n LIMIT 2001 -- more", 2000, false, true],
      ["SELECT n FROM t WHERE n <= 2000 ORDER BY n LIMIT 4000", 2000, false, false],
      ["SELECT n FROM t WHERE n IN (SELECT n FROM t ORDER BY n LIMIT 3) ORDER BY n", 3, true, false],
      ["SELECT n FROM t ORDER BY n LIMIT 0", 0, false, false],
      ["VALUES (1), (2), (3)", 3, false, false],
    ];
    for (const [sql, count, added, truncated] of cases) {
      const cursor = await run(opened.database, sql);
      const rows = await readAll(cursor);
      assert.deepEqual(rows, Array.from({ length: count }, (_, index) => index + 1), sql);
      assert.deepEqual({ ...cursor.limit }, { added, truncated }, sql);
    }
    const many = await run(opened.database, "SELECT 0 AS n UNION ALL SELECT n FROM t UNION ALL VALUES (1)");
    assert.equal((await readAll(many)).length, 1000);
    assert.equal(many.limit?.truncated, true, "the reader stops by itself where no LIMIT can be added");
  });

  Deno.test(`${name}: what is refused leaves the file and the session as they were`, async () => {
    await using opened = await openOne(name);
    const before = await digest(opened.path);
    const statements = [
      "DELETE FROM t",
      "WITH x AS (SELECT 1) DELETE FROM t",
      "SELECT 1; DELETE FROM t",
      "EXPLAIN ANALYZE SELECT 1",
      "CREATE TEMP TABLE x (a int)",
      "ATTACH 'x' AS y",
      "VACUUM",
      "PRAGMA table_info('t')",
      "SELECT n FROM t LIMIT -1",
      "SELECT n FROM t LIMIT 2 + 3000",
      "SELECT * FROM nowhere",
      "SELECT nothing FROM t",
      "SELEC 1",
    ];
    for (const sql of statements) await faultOf(run(opened.database, sql).then(readAll));
    assert.deepEqual(await readAll(await run(opened.database, "SELECT count(*) FROM t")), [5000]);
    assert.equal(await digest(opened.path), before);
  });

  Deno.test(`${name}: an endless statement ends with its clock or its caller, and the next one works`, async () => {
    await using opened = await openOne(name, { timeoutMs: 4000 });
    const late = await faultOf(run(opened.database, ENDLESS).then(readAll));
    assert.equal(late.code, "timeout");
    assert.match(late.message, /more than 4 s/);
    const controller = new AbortController();
    const running = faultOf(run(opened.database, ENDLESS, controller.signal).then(readAll));
    await new Promise((resolve) => setTimeout(resolve, 300));
    controller.abort();
    assert.equal((await running).code, "cancelled"); // its clock would have been told
    assert.deepEqual(await readAll(await run(opened.database, "SELECT max(n) FROM t")), [5000]);
  });
}
