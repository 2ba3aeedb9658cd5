/** How statements run, stop and fail, seen from the server too. */
import assert from "node:assert/strict";
import type { Database } from "../../../src/db/driver.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { SOON_MS } from "../../support/patience.ts";
import { openPostgres, runAll } from "../../support/postgres_database.ts";
import { ADMIN, adminClient, type PostgresServer, sharedPostgres } from "../../support/postgres_server.ts";

const CAPS = { unlimited: 1_000, limited: 1_000_000 };
const never = () => new AbortController().signal;

/** Counts to a number that takes hours. */
const ENDLESS = "SELECT count(*) FROM (SELECT generate_series(1, 9000000000000000)) a";

/** Statements of ours that the server runs now. */
async function running(server: PostgresServer): Promise<number> {
  const admin = adminClient(server);
  const [row] = await admin`
    SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name = 'saber' AND state <> 'idle' AND query LIKE '%generate_series%'`;
  await admin.end();
  return Number(row?.n);
}

async function until(condition: () => Promise<boolean>, { ms }: { ms: number }): Promise<void> {
  const end = Date.now() + ms;
  while (!await condition()) {
    assert.ok(Date.now() < end, `not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const version of [12, 18] as const) {
  const server = await sharedPostgres(version);
  const test = (name: string, body: (database: Database) => Promise<void>) =>
    Deno.test(`PostgreSQL ${version}: ${name}`, async () => {
      const database = await openPostgres(server, { login: ADMIN });
      try {
        await body(database);
      } finally {
        await database.close();
      }
    });

  for (const mode of ["disable", "require"] as const) {
    Deno.test(`PostgreSQL ${version}: a slow reader holds the server back and loses no row, TLS ${mode}`, async () => {
      const database = await openPostgres(server, { tls: { mode } });
      const sql = "SELECT a, repeat('x', 1000) FROM generate_series(1, 30000) a";
      const cursor = await database.run({ sql, caps: CAPS, signal: never() });
      let next = 1;
      let largest = 0;
      for await (const rows of cursor.batches) {
        for (const row of rows) assert.equal(row[0], next++);
        // the first pause is long enough for the server to send everything, were it let
        const pauseMs = largest === 0 ? 500 : next % 7;
        largest = Math.max(largest, rows.length);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      assert.equal(next, 30_001);
      assert.ok(largest < 5000, `${largest} rows waited at once`);
      await database.close();
    });
  }

  for (const mode of ["disable", "require"] as const) {
    Deno.test(`PostgreSQL ${version}: a reader who comes and goes gets every row in order, TLS ${mode}`, async () => {
      const database = await openPostgres(server, { tls: { mode } });
      for (let round = 0; round < 12; round++) {
        const sql = `SELECT generate_series(1, 20000), repeat('x', ${10 ** (round % 4)})`;
        const { batches } = await database.run({ sql, caps: CAPS, signal: never() });
        let [next, turn] = [1, 0];
        for await (const rows of batches) {
          for (const row of rows) assert.equal(row[0], next++);
          // another statement, a pause, or nothing between two batches
          if (turn++ % 3 === 0) await runAll(database, "SELECT 1");
          else if (turn % 3 === 0) await new Promise((resolve) => setTimeout(resolve, turn % 7));
        }
        assert.equal(next, 20_001);
      }
      await database.close();
    });
  }

  test("as many statements as one likes may be asked at once", async (database) => {
    const asked = Array.from({ length: 40 }, (_, i) => runAll(database, `SELECT ${i}, pg_backend_pid()`));
    const results = await Promise.all(asked);
    assert.deepEqual(results.map(({ rows }) => rows[0]?.[0]), asked.map((_, i) => i));
    assert.ok(new Set(results.map(({ rows }) => rows[0]?.[1])).size <= 8, "more than 8 connections");
  });

  test("waiting for a connection ends with the signal", async (database) => {
    const stop = new AbortController();
    const busy = Array.from({ length: 8 }, () => runAll(database, ENDLESS, { signal: stop.signal }));
    const impatient = await faultOf(runAll(database, "SELECT 1", { signal: AbortSignal.timeout(100) }));
    assert.equal(impatient.code, "timeout");
    stop.abort();
    const faults = await Promise.all(busy.map(faultOf));
    assert.deepEqual(faults.map(({ code }) => code), Array(8).fill("cancelled"));
    assert.deepEqual((await runAll(database, "SELECT 1")).rows, [[1]]);
  });

  test("two statements, NUL and transactions do not get through", async (database) => {
    assert.equal((await faultOf(runAll(database, "SELECT 1; SELECT 2"))).code, "syntax_error");
    assert.equal((await faultOf(runAll(database, "SELECT 1\0; DROP TABLE orders"))).code, "not_understood");
    for (const sql of ["COMMIT", "SET TRANSACTION READ WRITE", "SET default_transaction_read_only = off"]) {
      await runAll(database, sql);
      assert.equal((await faultOf(runAll(database, "CREATE TABLE t (a int)"))).code, "not_read_only", sql);
    }
    await runAll(database, "SET TimeZone = 'Asia/Tokyo'");
    assert.deepEqual((await runAll(database, "SHOW TimeZone")).rows, [["UTC"]]);
  });

  test("what the server says is kept apart from our sentence", async (database) => {
    const failures: readonly (readonly [sql: string, code: string, state: string])[] = [
      ["SELEC 1", "syntax_error", "42601"],
      ["SELECT * FROM no_such_table", "unknown_relation", "42P01"],
      ["SELECT no_such_column FROM orders", "unknown_column", "42703"],
      ["SELECT no_such_function(1)", "database_error", "42883"],
      ["SELECT 1/0", "database_error", "22012"],
      ["SELECT 1/(5 - a) FROM generate_series(1, 9) a", "database_error", "22012"],
      ["DELETE FROM orders", "not_read_only", "25006"],
    ];
    for (const [sql, code, state] of failures) {
      const fault = await faultOf(runAll(database, sql));
      assert.deepEqual([fault.code, fault.server?.state], [code, state], sql);
      assert.ok(!fault.message.includes(fault.server?.message ?? ""), fault.message);
    }
    const { server: said } = await faultOf(runAll(database, "SELECT 1,\n  nope FROM orders"));
    assert.equal(said?.message, 'column "nope" does not exist');
    assert.equal(said?.position, 13);
  });

  test("nothing is left open after closing, and nothing runs after it", async (database) => {
    const hanging = faultOf(runAll(database, ENDLESS));
    await until(async () => await running(server) === 1, { ms: SOON_MS });
    const begun = Date.now();
    await database.close();
    assert.ok(Date.now() - begun < SOON_MS);
    assert.equal((await hanging).code, "closed");
    assert.equal((await faultOf(runAll(database, "SELECT 1"))).code, "closed");
    await until(async () => await running(server) === 0, { ms: SOON_MS });
  });

  Deno.test(`PostgreSQL ${version}: the timeout counts until the first row`, async () => {
    const database = await openPostgres(server, { login: ADMIN, timeoutMs: 2000 });
    const begun = Date.now();
    assert.equal((await faultOf(runAll(database, ENDLESS))).code, "timeout");
    assert.ok(Date.now() - begun < SOON_MS);
    await until(async () => await running(server) === 0, { ms: SOON_MS });
    const sql = "SELECT repeat('wide', 3000), pg_sleep(0.4) FROM generate_series(1, 8) a";
    assert.equal((await runAll(database, sql)).rows.length, 8);
    await database.close();
  });

  Deno.test(`PostgreSQL ${version}: what a writing session does lasts, and is counted`, async () => {
    const database = await openPostgres(server, { login: ADMIN, access: "write" });
    const admin = adminClient(server);
    await admin`DROP TABLE IF EXISTS written`;
    assert.equal(
      (await runAll(database, "CREATE TABLE written (id int PRIMARY KEY, v text)")).affected,
      undefined,
    );
    const inserted = await runAll(
      database,
      "INSERT INTO written SELECT a, 'x' FROM generate_series(1, 3) a RETURNING id",
    );
    assert.deepEqual([inserted.rows, inserted.affected], [[[1], [2], [3]], 3]);
    assert.equal((await runAll(database, "UPDATE written SET v = 'y' WHERE id > 1")).affected, 2);
    assert.equal((await runAll(database, "SELECT * FROM written")).affected, undefined);
    const sql = "INSERT INTO written SELECT a FROM generate_series(10, 100000) a RETURNING id";
    const unread = await database.run({ sql, caps: CAPS, signal: never() });
    await unread.close();
    assert.deepEqual((await runAll(database, "SELECT count(*) FROM written")).rows, [[99_994]]);
    assert.equal((await faultOf(runAll(database, "INSERT INTO written VALUES (1)"))).code, "constraint");
    await database.close();
    await admin`DROP TABLE written`;
    await admin.end();
  });
}
