/** Statements that a SQLite process is given one behind the other: whatever becomes of one, the others get their rows. */
import assert from "node:assert/strict";
import type { Cursor, Database, Query } from "../../../src/db/driver.ts";
import { guard } from "../../../src/db/guarded.ts";
import type { Row } from "../../../src/db/values.ts";
import { CAPS, eventually, faultOf, NEVER, readRows } from "../../suites/database_fixture.ts";
import { SOON_MS } from "../../support/patience.ts";
import { makeFile, openFile, type SqliteFile } from "../../support/sqlite_file.ts";
import { isBusyWith, processesOf } from "../../support/sqlite_processes.ts";

const PLAIN = "CREATE TABLE plain (id INTEGER PRIMARY KEY); INSERT INTO plain VALUES (1), (2), (3)";
const count = (to: number) =>
  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${to}) SELECT`;
const ENDLESS = `${count(1e15)} count(*) FROM c`;
/** Takes a second or so. */
const LONG = `${count(3e6)} count(*) FROM c`;

interface Asked {
  /** Settles when the next statement may be asked for. */
  readonly taken: Promise<void>;
  readonly cursor: Promise<Cursor>;
  readonly rows: Promise<readonly Row[]>;
}

function ask(database: Database, sql: string, signal = NEVER): Asked {
  const taken = Promise.withResolvers<void>();
  const cursor = database.run({
    sql,
    caps: CAPS,
    signal,
    place: { taken: taken.resolve, waits: () => {}, begun: () => {} },
  });
  const rows = cursor.then(readRows);
  rows.catch(() => {}); // each test looks at those that it means
  return { taken: taken.promise, cursor, rows };
}

/** Each is asked for when the one before was taken. */
async function askAll(database: Database, statements: readonly string[]): Promise<Asked[]> {
  const all: Asked[] = [];
  for (const sql of statements) {
    const asked = ask(database, sql);
    all.push(asked);
    await asked.taken;
  }
  return all;
}

async function untilBusy({ path }: SqliteFile): Promise<void> {
  await eventually(SOON_MS, async () => await isBusyWith(path));
}

const numbers = (to: number) => Array.from({ length: to }, (_, index) => `SELECT ${index} FROM plain`);

Deno.test("each gets its own rows, in one process", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const all = await askAll(opened.database, numbers(50));
  for (const [index, { rows }] of all.entries()) assert.deepEqual(await rows, [[index], [index], [index]]);
  assert.equal((await processesOf(file.path)).length, 1);
});

Deno.test("results of many parts stand behind each other", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const all = await askAll(opened.database, Array(8).fill(`${count(30_000)} n FROM c`));
  for (const { rows } of all) {
    const numbers = (await rows).flat();
    assert.equal(numbers.length, 30_000);
    assert.ok(numbers.every((n, index) => n === index + 1));
  }
});

Deno.test("eight are taken before the first is over, and the ninth then", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const stop = new AbortController();
  const first = ask(opened.database, ENDLESS, stop.signal);
  await first.taken;
  const six = await askAll(opened.database, numbers(6));
  const eighth = ask(opened.database, "SELECT 8");
  const wait = new Promise((resolve) => setTimeout(resolve, 200, "not taken"));
  assert.equal(await Promise.race([eighth.taken, wait]), "not taken");
  stop.abort();
  await eighth.taken;
  assert.equal((await faultOf(first.rows)).code, "cancelled");
  assert.equal((await Promise.all(six.map(({ rows }) => rows))).length, 6);
  assert.deepEqual(await eighth.rows, [[8]]);
});

Deno.test("one that fails, or is refused by SQLite, disturbs no other", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const statements = [
    "SELECT * FROM missing",
    "SELECT 1",
    "DELETE FROM plain",
    "SELECT 2",
    "SELECT abs(-9223372036854775808)",
  ];
  const [a, b, c, d, e] = await askAll(opened.database, statements);
  assert.equal((await faultOf(a?.rows ?? Promise.resolve())).code, "unknown_relation");
  assert.deepEqual(await b?.rows, [[1]]);
  assert.equal((await faultOf(c?.rows ?? Promise.resolve())).code, "not_read_only");
  assert.deepEqual(await d?.rows, [[2]]);
  assert.equal((await faultOf(e?.rows ?? Promise.resolve())).code, "database_error");
});

Deno.test("those behind one that is aborted run in another process", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const stop = new AbortController();
  const first = ask(opened.database, ENDLESS, stop.signal);
  await first.taken;
  const behind = await askAll(opened.database, numbers(5));
  await untilBusy(file);
  stop.abort();
  assert.equal((await faultOf(first.rows)).code, "cancelled");
  for (const [index, { rows }] of behind.entries()) assert.deepEqual(await rows, [[index], [index], [index]]);
  await eventually(SOON_MS, async () => (await processesOf(file.path)).length === 1);
});

Deno.test("one that is aborted while it waits ends at once, and is stopped at its turn", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const [stop, stopFirst] = [new AbortController(), new AbortController()];
  const first = ask(opened.database, ENDLESS, stopFirst.signal);
  await first.taken;
  const second = ask(opened.database, ENDLESS, stop.signal);
  await second.taken;
  const third = ask(opened.database, "SELECT 3");
  await untilBusy(file);
  stop.abort();
  assert.equal((await faultOf(second.rows)).code, "cancelled");
  stopFirst.abort();
  assert.equal((await faultOf(first.rows)).code, "cancelled");
  assert.deepEqual(await third.rows, [[3]]);
});

Deno.test("one that was aborted while it waited is not run to its end", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const stop = new AbortController();
  const first = ask(opened.database, LONG);
  await first.taken;
  const second = ask(opened.database, ENDLESS, stop.signal);
  await second.taken;
  const third = ask(opened.database, "SELECT 3");
  await third.taken;
  stop.abort();
  assert.equal((await faultOf(second.rows)).code, "cancelled");
  assert.equal((await first.rows).length, 1);
  assert.deepEqual(await third.rows, [[3]]);
});

Deno.test("a process that is killed from outside fails the one at hand, and no other", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const [first, ...behind] = await askAll(opened.database, [ENDLESS, ...numbers(5)]);
  await untilBusy(file);
  for (const { pid } of await processesOf(file.path)) Deno.kill(pid, "SIGKILL");
  const fault = await faultOf(first?.rows ?? Promise.resolve());
  assert.equal(fault.code, "database_error");
  assert.match(fault.message, /ended unexpectedly/);
  for (const [index, { rows }] of behind.entries()) assert.deepEqual(await rows, [[index], [index], [index]]);
});

Deno.test("a cursor that is left early lets those behind have their turn", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const [first, ...behind] = await askAll(opened.database, [`${count(1e15)} n FROM c`, ...numbers(3)]);
  for await (const [row] of (await first?.cursor)?.batches ?? []) {
    assert.deepEqual(row, [1]);
    break;
  }
  for (const [index, { rows }] of behind.entries()) assert.deepEqual(await rows, [[index], [index], [index]]);
});

Deno.test("a file that takes another's place is read by those that come after it", async () => {
  await using file = await makeFile(PLAIN);
  await using other = await makeFile("CREATE TABLE plain (id); INSERT INTO plain VALUES ('new')");
  await using opened = openFile(file);
  await ask(opened.database, "SELECT 1").rows; // the process has opened the file
  const first = ask(opened.database, LONG);
  await first.taken;
  const second = ask(opened.database, "SELECT * FROM plain");
  await second.taken;
  await Deno.rename(other.path, file.path);
  const third = ask(opened.database, "SELECT * FROM plain");
  assert.equal((await first.rows).length, 1);
  assert.deepEqual(await second.rows, [[1], [2], [3]]);
  assert.deepEqual(await third.rows, [["new"]]);
});

Deno.test("closing ends all of them", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const all = await askAll(opened.database, [ENDLESS, ...numbers(5)]);
  await untilBusy(file);
  await opened.database.close();
  for (const { rows } of all) assert.equal((await faultOf(rows)).code, "closed");
});

Deno.test("the time of one that waits does not pass, and that of the one at hand does", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const database = guard(opened.database, { access: "read", timeoutMs: 1500 });
  const all = await askAll(database, [ENDLESS, ENDLESS, "SELECT 3"]);
  const begun = performance.now();
  assert.equal((await faultOf(all[0]?.rows ?? Promise.resolve())).code, "timeout");
  assert.equal((await faultOf(all[1]?.rows ?? Promise.resolve())).code, "timeout");
  assert.ok(performance.now() - begun > 2500, `${performance.now() - begun} ms`);
  assert.deepEqual(await all[2]?.rows, [[3]]);
});

/** Settles after so many turns of the microtasks. */
async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await null;
}

Deno.test("one that is aborted at the very moment of its turn leaves its rows to no other", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  for (let late = 0; late < 10; late++) {
    const stop = new AbortController();
    const { signal } = new AbortController();
    const first = ask(opened.database, "SELECT * FROM missing", signal);
    const remove = signal.removeEventListener.bind(signal);
    // The last thing that a statement does before it gives its place back.
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      remove(...args);
      void ticks(late).then(() => stop.abort());
    };
    await first.taken;
    const second = ask(opened.database, "SELECT 2", stop.signal);
    await second.taken;
    const third = ask(opened.database, "SELECT 3");
    await third.taken;
    assert.deepEqual(await third.rows, [[3]], `${late} turns late`);
    assert.deepEqual(await ask(opened.database, "SELECT 4").rows, [[4]]);
    await Promise.allSettled([first.rows, second.rows]);
  }
});

Deno.test("one that is aborted between its first rows and their reader is closed", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const { database } = opened;
  for (let late = 0; late < 10; late++) {
    const stop = new AbortController();
    const spied: Database = Object.create(database, {
      dialect: { value: database.dialect },
      run: {
        value: (query: Query) => {
          const cursor = database.run(query);
          if (query.sql.includes("RECURSIVE")) void cursor.then(() => ticks(late)).then(() => stop.abort());
          return cursor;
        },
      },
    });
    const guarded = guard(spied, { access: "read", timeoutMs: 30_000 });
    const first = ask(guarded, `${count(1e15)} n FROM c`, stop.signal);
    await first.taken;
    const second = ask(guarded, "SELECT 2");
    assert.equal((await faultOf(first.rows)).code, "cancelled");
    const wait = Promise.withResolvers<string>();
    const timer = setTimeout(wait.resolve, SOON_MS, "no turn");
    assert.deepEqual(await Promise.race([second.rows, wait.promise]), [[2]], `${late} turns late`);
    clearTimeout(timer);
  }
});

Deno.test("the time of the last that there is room for does not pass either", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const database = guard(opened.database, { access: "read", timeoutMs: 1000 });
  const first = ask(database, ENDLESS);
  await first.taken;
  const behind = await askAll(database, numbers(6));
  const last = ask(database, "SELECT 8");
  assert.equal((await faultOf(first.rows)).code, "timeout");
  assert.equal((await Promise.all(behind.map(({ rows }) => rows))).length, 6);
  assert.deepEqual(await last.rows, [[8]]);
});

Deno.test("order and one process at a time stay when one is aborted and more come", async () => {
  await using file = await makeFile(PLAIN);
  await using opened = openFile(file);
  const stop = new AbortController();
  const over: number[] = [];
  const first = ask(opened.database, ENDLESS, stop.signal);
  let taken = first.taken;
  const all: Promise<unknown>[] = [];
  const asking = (async () => {
    for (let n = 0; n < 14; n++) {
      await taken;
      const asked = ask(opened.database, `${count(300_000)} ${n}, count(*) FROM c`);
      taken = asked.taken;
      all.push(asked.rows.then(([row]) => over.push(Number(row?.[0]))));
    }
  })();
  await untilBusy(file);
  stop.abort();
  await asking;
  await Promise.all(all);
  assert.deepEqual(over, Array.from({ length: 14 }, (_, n) => n));
  await eventually(SOON_MS, async () => (await processesOf(file.path)).length === 1);
});
