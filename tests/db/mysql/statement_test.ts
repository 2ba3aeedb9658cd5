/**
 * How statements of the MySQL engine run, stream and are stopped, seen from the server's own list of processes.
 */
import assert from "node:assert/strict";
import { Fault } from "../../../src/base/fault.ts";
import { run } from "../../suites/database_fixture.ts";
import { AdminClient, runningStatements, sharedMariadb } from "../../support/mariadb_server.ts";
import { ask, openMysql, withMysql } from "../../support/mysql_database.ts";
import { SOON_MS } from "../../support/patience.ts";

const server = await sharedMariadb();
const admin = new AdminClient(server, "mysql");
await admin.run(
  "CREATE DATABASE statements",
  "CREATE TABLE statements.t (id INT PRIMARY KEY, a VARCHAR(20))",
);
await admin.run("INSERT INTO statements.t VALUES (1, 'x'), (2, 'y'), (3, 'x')");
admin.end();

/** Would take hours, and gives its first row at once or never. */
const LONG = "SELECT COUNT(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b";
const ENDLESS = "SELECT a.seq, REPEAT('x', 200) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b";

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until the server runs a statement with this text, or none any more. */
async function seen(text: string, wanted: boolean): Promise<void> {
  const end = Date.now() + SOON_MS;
  const isSeen = async () => (await runningStatements(server)).some((sql) => sql.includes(text));
  while (await isSeen() !== wanted) {
    if (Date.now() > end) {
      assert.fail(`the server ${wanted ? "does not run" : "still runs"} ${text}`);
    }
    await sleep(10);
  }
}

Deno.test("a million rows come in batches, and the memory does not grow with them", async () => {
  await withMysql({ server }, async (database) => {
    const peak = async (count: number) => {
      const sql = `SELECT seq, CONCAT('name ', seq), seq / 7, NOW() FROM seq_1_to_${count}`;
      const cursor = await run(database, sql);
      let [read, largest, rss] = [0, 0, 0];
      for await (const rows of cursor.batches) {
        read += rows.length;
        largest = Math.max(largest, rows.length);
        rss = Math.max(rss, Deno.memoryUsage().rss);
        assert.equal(rows.at(-1)?.[0], read);
      }
      assert.equal(read, count);
      assert(largest < 20_000, `a batch had ${largest} rows`);
      return rss;
    };
    // as many as the garbage collector needs to reach its pace
    const before = await peak(500_000);
    const grown = await peak(1_000_000) - before;
    assert(grown < 100_000_000, `${grown} bytes more`);
  });
});

for (const mode of ["disable", "require"] as const) {
  Deno.test(`a slow reader holds the server back instead of filling the memory, TLS ${mode}`, async () => {
    await withMysql({ server, target: { tls: { mode } } }, async (database) => {
      const cursor = await run(database, "SELECT seq, REPEAT('x', 20000) FROM seq_1_to_100000");
      const before = Deno.memoryUsage().rss;
      let count = 0;
      for await (const rows of cursor.batches) {
        if (count === 0) await sleep(500);
        for (const row of rows) assert.equal(row[0], ++count);
        const grown = Deno.memoryUsage().rss - before;
        assert(grown < 300_000_000, `${grown} bytes more after ${count} rows`);
        if (count > 5000) break;
      }
      await seen("REPEAT('x', 20000)", false);
    });
  });
}

Deno.test("leaving early stops the statement on the server, and the next one runs", async () => {
  await withMysql({ server }, async (database) => {
    const cursor = await run(database, `${ENDLESS} /* left early */`);
    for await (const rows of cursor.batches) {
      assert(rows.length > 0);
      break;
    }
    await seen("left early", false);
    const unread = await run(database, `${ENDLESS} /* never read */`);
    await unread.close();
    await seen("never read", false);
    await unread.close();
    assert.deepEqual((await ask(database, "SELECT 1")).rows, [[1]]);
  });
});

Deno.test("an abort before the first row reaches the server within a second", async () => {
  await withMysql({ server }, async (database) => {
    const abort = new AbortController();
    const pending = run(database, `${LONG} /* aborted */`, abort.signal);
    await seen("/* aborted */", true);
    const start = performance.now();
    abort.abort();
    await assert.rejects(pending, { code: "cancelled", message: "The statement was cancelled." });
    assert(performance.now() - start < SOON_MS);
    await seen("/* aborted */", false);
    assert.deepEqual((await ask(database, "SELECT 2")).rows, [[2]]);
  });
});

Deno.test("an abort while rows come ends the reading with its reason", async () => {
  await withMysql({ server }, async (database) => {
    const abort = new AbortController();
    const cursor = await run(database, `${ENDLESS} /* mid-stream */`, abort.signal);
    const reading = (async () => {
      for await (const rows of cursor.batches) assert(rows.length > 0);
    })();
    await sleep(50);
    abort.abort(new Fault("too_large", "enough"));
    await assert.rejects(reading, { code: "too_large", message: "enough" });
    await seen("mid-stream", false);
  });
});

Deno.test("a signal that is aborted already runs nothing", async () => {
  await withMysql({ server }, async (database) => {
    const signal = AbortSignal.abort();
    await assert.rejects(run(database, "SELECT 1", signal), { code: "cancelled" });
    await ask(database, "SELECT 1");
    await assert.rejects(run(database, "SELECT 1", signal), { code: "cancelled" });
  });
});

Deno.test("the timeout counts until the first row, not for the rows after it", async () => {
  await withMysql({ server, timeoutMs: 300 }, async (database) => {
    await assert.rejects(run(database, `${LONG} /* too long */`), {
      code: "timeout",
      message: "Cannot run the statement: it took longer than allowed. Ask for less.",
    });
    await seen("too long", false);
    const { rows } = await ask(database, "SELECT seq, REPEAT('x', 20000), SLEEP(0.01) FROM seq_1_to_60");
    assert.equal(rows.length, 60);
  });
});

Deno.test("waiting for a lock of another session can be aborted too", async () => {
  const holder = new AdminClient(server, "statements");
  await holder.run("LOCK TABLES t WRITE");
  try {
    await withMysql({ server, target: { database: "statements" } }, async (database) => {
      const abort = new AbortController();
      const pending = run(database, "SELECT * FROM t /* blocked */", abort.signal);
      await sleep(100);
      abort.abort();
      await assert.rejects(pending, { code: "cancelled" });
      await seen("blocked", false);
    });
  } finally {
    holder.end();
  }
});

Deno.test("closing the database stops what runs, within a second", async () => {
  const database = await openMysql({ server });
  const pending = run(database, `${LONG} /* closed */`);
  await seen("/* closed */", true);
  const start = performance.now();
  await Promise.all([assert.rejects(pending, { code: "closed" }), database.close()]);
  assert(performance.now() - start < SOON_MS);
  await seen("/* closed */", false);
});

Deno.test("statements leave nothing prepared behind, hold no locks and see what others commit", async () => {
  const other = new AdminClient(server, "statements");
  await withMysql({ server, target: { database: "statements" } }, async (database) => {
    const prepared = async () => {
      const { rows: [row] } = await ask(
        database,
        "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'Prepared_stmt_count'",
      );
      return Number(row?.[0]);
    };
    const before = await prepared();
    for (let i = 0; i < 50; i++) await ask(database, `SELECT ${i} FROM t`);
    assert(await prepared() <= before, "more are prepared"); // fewer where earlier connections have gone meanwhile
    await other.run("ALTER TABLE t ADD COLUMN b INT DEFAULT 7", "INSERT INTO t VALUES (4, 'z', 8)");
    assert.deepEqual((await ask(database, "SELECT b FROM t ORDER BY id")).rows, [[7], [7], [7], [8]]);
    await other.run("DELETE FROM t WHERE id = 4", "ALTER TABLE t DROP COLUMN b");
  });
  other.end();
});

Deno.test("statements that write last, and tell how many rows they changed", async () => {
  const other = new AdminClient(server, "statements");
  await other.run("CREATE TABLE w (id INT PRIMARY KEY, a VARCHAR(20))");
  await withMysql({ server, access: "write", target: { database: "statements" } }, async (database) => {
    const affected = async (sql: string) => (await ask(database, sql)).affected;
    assert.equal(await affected("INSERT INTO w VALUES (1, 'a'), (2, 'b')"), 2);
    assert.equal(await affected("UPDATE w SET a = 'b'"), 2);
    assert.equal(await affected("UPDATE w SET a = 'c' WHERE id > 5"), 0);
    const inserted = await ask(database, "INSERT INTO w VALUES (3, 'x'), (4, 'y') RETURNING id, a");
    assert.deepEqual([inserted.rows, inserted.affected], [[[3, "x"], [4, "y"]], 2]);
    const unread = await run(database, "/* c */ -- d\n INSERT INTO w VALUES (5, 'x') RETURNING id");
    await unread.close();
    assert.equal(unread.affected, 1);
    assert.equal(await affected("DELETE FROM w WHERE id = 1"), 1);
    assert.equal(await affected("CREATE TABLE made (i INT)"), 0);
    assert.equal(await affected("SELECT * FROM w"), undefined);
    await assert.rejects(ask(database, "INSERT INTO w VALUES (2, 'again')"), { code: "constraint" });
  });
  assert.deepEqual(await other.rows("SELECT id FROM w ORDER BY id"), [[2], [3], [4], [5]]);
  other.end();
});

const FAULTS: readonly { readonly sql: string; readonly code: string; readonly position?: number }[] = [
  { sql: "SELEC 1", code: "syntax_error", position: 1 },
  { sql: "SELECT 1,\n  2 FRM t", code: "syntax_error", position: 19 },
  { sql: "SELECT 1; SELECT 2", code: "syntax_error", position: 11 },
  { sql: "SELECT (1", code: "syntax_error", position: 10 },
  { sql: "SELECT ?", code: "syntax_error" },
  { sql: "SELECT * FROM gone", code: "unknown_relation" },
  { sql: "SELECT * FROM gone.t", code: "unknown_relation" },
  { sql: "SELECT gone FROM t", code: "unknown_column" },
  { sql: "SELECT no_such_function(1)", code: "database_error" },
  { sql: "INSERT INTO t VALUES (9, 'x')", code: "not_read_only" },
  { sql: "CREATE TABLE u (i INT)", code: "not_read_only" },
  { sql: "DROP TABLE t", code: "not_read_only" },
  { sql: "SELECT (SELECT id FROM t)", code: "database_error" },
];

Deno.test("errors of the server become Faults with our sentence and its own words apart", async () => {
  await withMysql({ server, target: { database: "statements" } }, async (database) => {
    for (const { sql, code, position } of FAULTS) {
      const fault = await ask(database, sql).then(() => assert.fail(`${sql} ran`), (error: unknown) => error);
      assert(fault instanceof Fault, sql);
      assert.equal(fault.code, code, sql);
      assert.match(fault.message, /^Cannot run the statement: .+\.$/);
      assert(
        fault.server && fault.server.message.length > 5 && !fault.message.includes(fault.server.message),
      );
      assert.equal(fault.server.position, position, sql);
    }
  });
});
