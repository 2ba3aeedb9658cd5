/** Statements and their rows, as far as only SQLite has them so: places of errors, sizes, and rows fetched at once. */
import assert from "node:assert/strict";
import { Fault } from "../../../src/base/fault.ts";
import type { Database } from "../../../src/db/driver.ts";
import { DIGITS, rowWriter, TEXT_NUMBERS, type ValueStyle } from "../../../src/db/values.ts";
import { faultOf, readRows, rows, run } from "../../suites/database_fixture.ts";
import { makeFile, openFile } from "../../support/sqlite_file.ts";

const NUMBERS = (count: number) =>
  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT ${count})`;

const PLACES: readonly (readonly [sql: string, position: number | undefined])[] = [
  ["SELEC 1", 1],
  ["SELECT 1 FROM", 14],
  ["SELECT 'FROM' FROM FROM", 20],
  ["SELECT fromage, from FROM t", 17],
  ["SELECT /* ) */ (1)) + 1", 19],
  ["SELECT 'é😀' , , 1", 15],
  ["SELECT 'open", 8],
  ["SELECT #", 8],
  ["SELECT missing FROM t", undefined],
];

Deno.test("a syntax error is placed in the statement, in characters from 1", async (test) => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  for (const [sql, position] of PLACES) {
    await test.step(sql, async () => {
      assert.equal((await faultOf(run(opened.database, sql))).server?.position, position);
    });
  }
});

Deno.test("declared types are the types of columns", async () => {
  await using file = await makeFile("CREATE TABLE t (a INTEGER, b varchar(20), c, d BLOB)");
  await using opened = openFile(file);
  const { columns } = await run(opened.database, "SELECT a, b, c, d, a + 1 FROM t");
  assert.deepEqual(columns.map(({ type }) => type), ["INTEGER", "varchar(20)", "", "BLOB", ""]);
});

/** With a LIMIT the rows may be fetched at once, without one they are not: both must tell the same. */
Deno.test("a LIMIT changes nothing but the number of rows", async (test) => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const list =
    "n, n + 9007199254740991, n / 4.0, -0.0, 9e999, 'ü' || n, x'00ff', zeroblob(n), NULL, n % 2 = 0";
  const all = await rows(opened.database, `${NUMBERS(1500)} SELECT ${list} FROM c`);
  assert.equal(all.length, 1500);
  for (const limit of [1, 15, 16, 17, 1000, 1500, 1999, 2000, 2001]) {
    await test.step(`LIMIT ${limit}`, async () => {
      const found = await rows(opened.database, `${NUMBERS(1500)} SELECT ${list} FROM c LIMIT ${limit}`);
      assert.deepEqual(found, all.slice(0, limit));
    });
  }
});

async function writtenRows(database: Database, { sql, style }: { sql: string; style: ValueStyle }) {
  const caps = { unlimited: Infinity, limited: Infinity };
  const signal = AbortSignal.timeout(60_000);
  const { columns, batches, written } = await database.run({ sql, caps, signal, written: style });
  assert.ok(written);
  const found = (await Array.fromAsync(written)).flat();
  assert.deepEqual(await Array.fromAsync(batches), []);
  return { columns, found };
}

Deno.test("rows that SQLite's process writes are what the writer makes of their cells", async (test) => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const list =
    `n AS a, n + 9007199254740991 AS a, n / 4.0 AS "1", -0.0, 'ü"\n\u2028\ud800' || n, x'00ff', NULL`;
  for (const style of [DIGITS, TEXT_NUMBERS]) {
    for (const end of ["", " LIMIT 600", " LIMIT 3", " WHERE n < 0"]) {
      await test.step(`${style.bigNumbers}${end}`, async () => {
        const sql = `${NUMBERS(1000)} SELECT ${list} FROM c${end}`;
        const { columns, found } = await writtenRows(opened.database, { sql, style });
        const toText = rowWriter(columns, style);
        assert.deepEqual(found, (await rows(opened.database, sql)).map(toText));
      });
    }
  }
});

Deno.test("a row that can't be written is a fault in its place", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const sql = `${NUMBERS(700)} SELECT CASE n WHEN 500 THEN 9e999 ELSE n END AS "a\nb" FROM c`;
  const { found } = await writtenRows(opened.database, { sql, style: TEXT_NUMBERS });
  assert.equal(found.length, 700);
  const fault = found[499];
  assert.ok(fault instanceof Fault && fault.code === "unsupported_value");
  assert.match(fault.message, /^Cannot return column "a\\nb": the value inf has no JSON form/);
  assert.deepEqual([found[498], found[500]], ['{"a\\nb":499}', '{"a\\nb":501}']);
});

Deno.test("values that are too long to be fetched at once arrive all the same", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const sql = `${NUMBERS(400)} SELECT n, CASE n WHEN 300 THEN zeroblob(3000000) END FROM c LIMIT 1000`;
  const found = await rows(opened.database, sql);
  assert.deepEqual(found.map(([n]) => n), Array.from({ length: 400 }, (_, index) => index + 1));
  assert.deepEqual(found[299]?.[1], new Uint8Array(3_000_000));
});

Deno.test("a failure among rows that are fetched at once is told", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const sql = `${
    NUMBERS(500)
  } SELECT abs(CASE n WHEN 400 THEN -9223372036854775807 - 1 ELSE n END) FROM c LIMIT 500`;
  const fault = await faultOf(rows(opened.database, sql));
  assert.deepEqual([fault.code, fault.server?.message], ["database_error", "integer overflow"]);
});

Deno.test("rows that come slowly come at once when there is no LIMIT", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file, { timeoutMs: 5000 });
  // The second row needs hours.
  const tables = `${NUMBERS(500_000)}, e(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e)`;
  const { batches } = await run(
    opened.database,
    `${tables} SELECT count(*) FROM c UNION ALL SELECT count(*) FROM e`,
  );
  for await (const batch of batches) {
    assert.deepEqual(batch, [[500_000]]);
    break;
  }
});

Deno.test("a row of the longest values arrives, a longer one is a clear failure", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file, { timeoutMs: 60_000 });
  const [[blob, text] = []] = await rows(
    opened.database,
    "SELECT zeroblob(20000000), replace(hex(zeroblob(5000000)), '00', char(1))",
  );
  assert.ok(blob instanceof Uint8Array && blob.length === 20_000_000);
  assert.equal(text, "\u0001".repeat(5_000_000));
  for (
    const sql of [
      "SELECT zeroblob(70000000)",
      "SELECT zeroblob(40000000), zeroblob(40000000)",
      `SELECT '${"x".repeat(70_000_000)}'`,
    ]
  ) assert.equal((await faultOf(rows(opened.database, sql))).code, "too_large");
  assert.deepEqual(await rows(opened.database, "SELECT 1"), [[1]]);
});

Deno.test("a thousand columns and a very long statement are no trouble", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  const cursor = await run(opened.database, `SELECT ${numbers.join(", ")} /* ${"x".repeat(2_000_000)} */`);
  assert.equal(cursor.columns.length, 1000);
  assert.deepEqual(await readRows(cursor), [numbers]);
});

Deno.test("memory stays flat over a million rows", async () => {
  await using file = await makeFile("CREATE TABLE t (a)");
  await using opened = openFile(file);
  const { batches } = await run(
    opened.database,
    `${NUMBERS(1_000_000)} SELECT n, 'row number ' || n, n / 3.0 FROM c`,
  );
  const before = Deno.memoryUsage().rss;
  let count = 0;
  for await (const batch of batches) count += batch.length;
  assert.equal(count, 1_000_000);
  const grown = (Deno.memoryUsage().rss - before) / 2 ** 20;
  assert.ok(grown < 100, `${Math.round(grown)} MiB more`);
});
