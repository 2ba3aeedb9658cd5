/**
 * Numbers that a JSON reader bends: far down in large files, and within lists and objects. None is rounded without an error.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { driver } from "../../../src/db/files.ts";
import { type Cell, Decimal, Struct } from "../../../src/db/values.ts";
import { filesTarget } from "../../support/data_files.ts";
import { ask, faultOf, testFolder } from "../../support/duckdb.ts";

const OPTIONS = { access: "read", timeoutMs: 60_000 } as const;
const OBJECTS = 20_500;
/** Makes a file so large that its first objects alone are looked at. */
const PADDING = "x".repeat(400);

interface Late {
  /** As they are written in the file. */
  readonly usual: string;
  readonly late: string;
}

/** Files, by their members. */
const MISFITS: readonly (readonly Late[])[] = [
  // doubles hold these numbers, their columns do not
  [
    { usual: "12", late: "1.5" },
    { usual: "12", late: "1e-3" },
    { usual: "1.5", late: "9007199254740993" },
    { usual: "[1.5]", late: "[9007199254740993]" },
    { usual: "[1, 2]", late: "[1, 2.5]" },
    { usual: '{"n": 1, "f": 0.5}', late: '{"n": 1.5, "f": 0.5}' },
    { usual: '"07:08:09"', late: '"07:08:09.0000001"' },
    { usual: '"2024-05-06"', late: '"infinity"' },
    { usual: '"2024-05-06 07:08:09"', late: '"-infinity"' },
  ],
  [{ usual: "1.5", late: "1.23456789012345678901" }],
  [{ usual: "1.5", late: "1e400" }],
  [{ usual: '"text"', late: "1.23456789012345678901" }],
  [{ usual: "[1.5]", late: "[0.12345678901234567]" }],
];

const FITS: readonly (Late & { readonly becomes: Cell })[] = [
  { usual: "12", late: "9007199254740993", becomes: 9007199254740993n },
  { usual: "12", late: "-3.0", becomes: -3 },
  { usual: "1.5", late: "0.30000000000000004", becomes: 0.30000000000000004 },
  { usual: "1.5", late: "2.50000000000000000000", becomes: 2.5 },
  { usual: '"text"', late: '"1.23456789012345678901"', becomes: "1.23456789012345678901" },
  { usual: "[1.5]", late: "[0.25, -7e3]", becomes: [0.25, -7000] },
  { usual: "[1.5]", late: "[100000000000000000000000, 1.0000000000000000]", becomes: [1e23, 1] },
  {
    usual: '{"n": 1, "f": 0.5}',
    late: '{"n": 9007199254740993, "f": 0.75}',
    becomes: new Struct([["n", 9007199254740993n], ["f", 0.75]]),
  },
];

function objects(
  members: readonly Late[],
  { padding, isArray }: { padding: string; isArray: boolean },
): string {
  const object = (each: readonly string[], pad: string) =>
    `{${
      each.map((value, index) => `"c${index}": ${value}`).join(", ")
    }, "kept": [0.5, 1e2], "pad": "${pad}"}`;
  const usual = Array<string>(OBJECTS).fill(object(members.map((member) => member.usual), padding));
  const all = [...usual, object(members.map((member) => member.late), "last")];
  return isArray ? `[${all.join(",\n")}]` : all.join("\n");
}

for (const isArray of [false, true]) {
  const what = isArray ? "a JSON array" : "JSON lines";

  Deno.test(`${what}: a later number that would be bent fails the query that reads it`, async (t) => {
    await using folder = await testFolder();
    // an array is read by the same code but for its brackets
    for (const [index, members] of MISFITS.slice(0, isArray ? 2 : undefined).entries()) {
      const path = join(folder.path, `t${index}.json`);
      await Deno.writeTextFile(path, objects(members, { padding: PADDING, isArray }));
      const database = await driver.open(filesTarget([path]), OPTIONS);
      try {
        for (const [column, { late }] of members.entries()) {
          await t.step(late, async () => {
            const sql = `SELECT c${column} FROM t${index} WHERE pad = 'last'`;
            const says = new RegExp(
              `^Cannot run the statement: the column "c${column}" of t${index}.json is .* by its first values, and one further`,
            );
            assert.match((await faultOf(() => ask(database, sql)))?.message ?? "no fault", says);
          });
        }
        const others = `SELECT count(*), count(c0) FROM t${index} WHERE pad <> 'last'`;
        assert.deepEqual((await ask(database, others)).rows, [[OBJECTS, OBJECTS]]);
        const kept = `SELECT kept FROM t${index} WHERE pad = 'last'`;
        assert.deepEqual(
          (await ask(database, kept)).rows,
          [[[0.5, 100]]],
          "another member of the same object",
        );
      } finally {
        await database.close();
      }
    }
  });
}

Deno.test("JSON: a later number that fits its column is there, however it is written", async () => {
  await using folder = await testFolder();
  const path = join(folder.path, "t.jsonl");
  await Deno.writeTextFile(path, objects(FITS, { padding: PADDING, isArray: false }));
  const database = await driver.open(filesTarget([path]), OPTIONS);
  try {
    const { rows } = await ask(database, "SELECT * EXCLUDE (kept, pad) FROM t WHERE pad = 'last'");
    assert.deepEqual(rows, [FITS.map(({ becomes }) => becomes)]);
  } finally {
    await database.close();
  }
});

Deno.test("JSON: where all of a file is looked at, later numbers keep their digits", async (t) => {
  await using folder = await testFolder();
  const members = [
    { usual: "12", late: "1.5" },
    { usual: "1.5", late: "1.23456789012345678901" },
    { usual: "12", late: '"none"' },
  ];
  const [large, small] = [join(folder.path, "large.jsonl"), join(folder.path, "small.jsonl")];
  await Deno.writeTextFile(large, objects(members, { padding: PADDING, isArray: false }));
  await Deno.writeTextFile(small, objects(members, { padding: "", isArray: false }));
  const targets = { large: filesTarget([large], { sample: "all" }), small: filesTarget([small]) };
  for (const [table, target] of Object.entries(targets)) {
    await t.step(table, async () => {
      const database = await driver.open(target, OPTIONS);
      try {
        const sql = `SELECT c0, c1, CAST(c2 AS VARCHAR) FROM ${table} WHERE pad = 'last'`;
        assert.deepEqual((await ask(database, sql)).rows, [
          [1.5, new Decimal("1.23456789012345678901"), '"none"'],
        ]);
      } finally {
        await database.close();
      }
    });
  }
});

Deno.test("JSON: within lists and objects a number is exact, or fails the query that reads it", async (t) => {
  await using folder = await testFolder();
  const path = join(folder.path, "t.jsonl");
  await Deno.writeTextFile(
    path,
    [
      '{"id": 1, "list": [0.5, 1.25], "deep": {"a": [{"f": 0.1}], "n": 9007199254740993}, "kinds": 1}',
      '{"id": 2, "list": [0.12345678901234567890], "deep": {"a": [{"f": 0.75}], "n": 1}, "kinds": "0.5"}',
      '{"id": 3, "list": [], "deep": {"a": [{"f": 1.23456789012345678901}], "n": 2}, "kinds": [1.5]}',
    ].join("\n"),
  );
  const withDigits = join(folder.path, "digits.jsonl");
  await Deno.writeTextFile(
    withDigits,
    (await Deno.readTextFile(path)).replaceAll('{"id"', '{"long": 1.23456789012345678901, "id"'),
  );
  const database = await driver.open(filesTarget([path, withDigits]), OPTIONS);
  try {
    for (const table of ["t", "digits"]) {
      await t.step(table, async () => {
        assert.deepEqual((await ask(database, `SELECT list, deep FROM ${table} WHERE id = 1`)).rows, [[
          [0.5, 1.25],
          new Struct([["a", [new Struct([["f", 0.1]])]], ["n", 9007199254740993n]]),
        ]]);
        for (
          const sql of [`SELECT list FROM ${table} WHERE id = 2`, `SELECT deep FROM ${table} WHERE id = 3`]
        ) {
          assert.match(
            (await faultOf(() => ask(database, sql)))?.message ?? "no fault",
            /^Cannot run the statement: the column "(?:list|deep)" of \w+\.jsonl has a number with more digits/,
          );
        }
      });
    }
    const long = await ask(database, "SELECT long, CAST(kinds AS VARCHAR) FROM digits ORDER BY id");
    assert.deepEqual(
      long.rows,
      ["1", '"0.5"', "[1.5]"].map((kind) => [new Decimal("1.23456789012345678901"), kind]),
    );
  } finally {
    await database.close();
  }
});
