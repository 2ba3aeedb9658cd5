/**
 * Values far down in text files, behind the lines that decide what their columns are: none of them is rounded.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { driver } from "../../../src/db/files.ts";
import { type Cell, Decimal } from "../../../src/db/values.ts";
import { filesTarget } from "../../support/data_files.ts";
import { ask, faultOf, testFolder } from "../../support/duckdb.ts";

const OPTIONS = { access: "read", timeoutMs: 30_000 } as const;
const LINES = 60_000;
/** Makes a file so large that its first lines alone are looked at. */
const PADDING = "x".repeat(150);

interface Late {
  /** In the first lines. */
  readonly usual: string;
  readonly late: string;
  readonly type: string;
}

/** What its type would round, or cannot hold at all. */
const MISFITS: readonly Late[] = [
  { usual: "12", late: "1.5", type: "BIGINT" },
  { usual: "12", late: "1e-3", type: "BIGINT" },
  { usual: "12", late: "9223372036854775808", type: "BIGINT" },
  { usual: "12", late: "it's", type: "BIGINT" },
  { usual: "1.5", late: "1.23456789012345678901", type: "DOUBLE" },
  { usual: "1.5", late: "9007199254740993", type: "DOUBLE" },
  { usual: "1.5", late: "0.12345678901234567", type: "DOUBLE" },
  { usual: "1.5", late: "1e400", type: "DOUBLE" },
  { usual: "1.5", late: "1e-400", type: "DOUBLE" },
  { usual: "1.5", late: "1.2345678e-322", type: "DOUBLE" },
  { usual: "1.5", late: "none", type: "DOUBLE" },
  { usual: "18446744073709551616", late: "0.5", type: "HUGEINT" },
  { usual: "12345678901234567890.125", late: "0.0625", type: "DECIMAL(38,3)" },
  { usual: "12345678901234567890.125", late: "1e-9", type: "DECIMAL(38,3)" },
  { usual: "2024-05-06 07:08:09", late: "2024-05-06 07:08:09.1234567", type: "TIMESTAMP" },
  { usual: "2024-05-06T07:08:09", late: "2024-05-06T07:08:09+02:00", type: "TIMESTAMP" },
  { usual: "2024-05-06 07:08:09", late: "2024-05-06T07:08Z", type: "TIMESTAMP" },
  { usual: "2024-05-06 07:08:09.123456789", late: "2300-05-06 07:08:09", type: "TIMESTAMP_NS" },
  { usual: "2024-05-06 07:08:09+02", late: "2024-05-06 07:08:09", type: "TIMESTAMP WITH TIME ZONE" },
  { usual: "07:08:09", late: "07:08:09.0000001", type: "TIME" },
  { usual: "2024-05-06", late: "infinity", type: "DATE" },
  { usual: "2024-05-06", late: "06/05/2024", type: "DATE" },
];

/** The same numbers in another form. */
const FITS: readonly (Late & { readonly becomes: Cell })[] = [
  { usual: "12", late: "1e3", type: "BIGINT", becomes: 1000 },
  { usual: "12", late: "-3.000", type: "BIGINT", becomes: -3 },
  { usual: "1.5", late: "0.30000000000000004", type: "DOUBLE", becomes: 0.30000000000000004 },
  { usual: "1.5", late: "1.7976931348623157e308", type: "DOUBLE", becomes: 1.7976931348623157e308 },
  { usual: "1.5", late: "1.000000000000000000e-05", type: "DOUBLE", becomes: 0.00001 },
  { usual: "1.5", late: "-Infinity", type: "DOUBLE", becomes: -Infinity },
  {
    usual: "12345678901234567890.125",
    late: "2.5000",
    type: "DECIMAL(38,3)",
    becomes: new Decimal("2.500"),
  },
];

/** One file with a column for each. */
async function write(path: string, columns: readonly Late[]): Promise<void> {
  const names = columns.map((_, index) => `c${index}`);
  const line = `${columns.map(({ usual }) => usual).join(",")},${PADDING}\n`;
  const last = `${columns.map(({ late }) => late).join(",")},last\n`;
  await Deno.writeTextFile(path, `${names.join(",")},pad\n${line.repeat(LINES)}${last}`);
}

Deno.test("CSV: a later value that its column would round fails the query that reads it", async (t) => {
  await using folder = await testFolder();
  const path = join(folder.path, "t.csv");
  await write(path, MISFITS);
  const database = await driver.open(filesTarget([path]), OPTIONS);
  try {
    for (const [index, { late, type }] of MISFITS.entries()) {
      await t.step(`${late} as ${type}`, async () => {
        const fault = await faultOf(() => ask(database, `SELECT c${index} FROM t WHERE pad = 'last'`));
        assert.equal(
          fault?.message,
          `Cannot run the statement: the column "c${index}" of t.csv is ${type} by its first values, ` +
            "and one further down does not fit it exactly. " +
            "Open the file as csv:PATH?sample=all, which looks at all of it first.",
        );
        assert.equal(fault.code, "database_error");
        assert.equal(fault.server?.message, `The value: ${late}`);
        const others = `SELECT count(*), count(c${index}) FROM t WHERE pad <> 'last'`;
        assert.deepEqual((await ask(database, others)).rows, [[LINES, LINES]]);
      });
    }
    assert.deepEqual((await ask(database, "SELECT count(*) FROM t")).rows, [[LINES + 1]]);
    assert.equal((await faultOf(() => ask(database, "SELECT c0 FROM t")))?.code, "database_error");
  } finally {
    await database.close();
  }
});

Deno.test("CSV: a later value that fits its column is there, however it is written", async () => {
  await using folder = await testFolder();
  const path = join(folder.path, "t.csv");
  await write(path, FITS);
  const database = await driver.open(filesTarget([path]), OPTIONS);
  try {
    const { columns, rows } = await ask(database, "SELECT * EXCLUDE (pad) FROM t WHERE pad = 'last'");
    assert.deepEqual(columns.map(({ type }) => type), FITS.map(({ type }) => type));
    assert.deepEqual(rows, [FITS.map(({ becomes }) => becomes)]);
  } finally {
    await database.close();
  }
});

Deno.test("CSV: where all of a file is looked at, its columns have types that hold every value", async (t) => {
  await using folder = await testFolder();
  const columns = [
    { usual: "12", late: "1.5", type: "BIGINT" },
    { usual: "1.5", late: "1.23456789012345678901", type: "DOUBLE" },
    { usual: "12", late: "none", type: "BIGINT" },
    { usual: "2024-05-06 07:08:09", late: "2024-05-06 07:08:09.123456789", type: "TIMESTAMP" },
    { usual: "2024-05-06 07:08:09", late: "2024-05-06 07:08:09+02:00", type: "TIMESTAMP" },
    { usual: "07:08:09", late: "07:08:09.1234567", type: "TIME" },
    { usual: "31/12/2024", late: "-infinity", type: "DATE" },
    { usual: "31/12/2024", late: "12/31/2024", type: "DATE" },
  ];
  const large = join(folder.path, "t.csv");
  await write(large, columns);
  const small = join(folder.path, "small.csv");
  await Deno.writeTextFile(small, (await Deno.readTextFile(large)).replaceAll(PADDING, ""));
  const targets = {
    "as told": filesTarget([large], { sample: "all" }),
    "a small file": filesTarget([small]),
  };
  for (const [what, target] of Object.entries(targets)) {
    await t.step(what, async () => {
      const database = await driver.open(target, OPTIONS);
      try {
        const table = target.files[0]?.table;
        const sql = `SELECT * EXCLUDE (pad) FROM ${table} WHERE pad = 'last'`;
        assert.deepEqual((await ask(database, sql)).rows, [
          [
            ...[1.5, new Decimal("1.23456789012345678901"), "none"],
            ...["2024-05-06T07:08:09.123456789", "2024-05-06 07:08:09+02:00", "07:08:09.1234567"],
            ...["-infinity", "12/31/2024"],
          ],
        ]);
      } finally {
        await database.close();
      }
    });
  }
});
