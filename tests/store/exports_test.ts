import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { DuckDBInstance } from "@duckdb/node-api";
import { writeParquet } from "../../src/db/duckdb/write_parquet.ts";
import { type Cell, Decimal, JsonText, type Row, Struct } from "../../src/db/values.ts";
import { Shelf } from "../../src/store/shelf.ts";
import { makeTempFolder } from "../../src/store/temp_folder.ts";
import { cursorOf } from "../support/cursor.ts";

const signal = new AbortController().signal;

async function withShelf(test: (shelf: Shelf, folder: string) => Promise<void>): Promise<void> {
  const folder = await makeTempFolder();
  const shelf = new Shelf({ open: () => Promise.resolve(folder), writeParquet });
  try {
    await test(shelf, folder.path);
  } finally {
    await shelf.close();
  }
}

async function keep(shelf: Shelf, names: string[], rows: Iterable<Row>): Promise<string> {
  const { queryResult } = await shelf.keep(cursorOf(names, rows), {
    database: "shop",
    callId: "call_1",
    signal,
  });
  return queryResult?.id ?? assert.fail();
}

const pathOf = (uri: string) => decodeURIComponent(new URL(uri).pathname);

/** What DuckDB finds in a Parquet file: the type and the values of each column. */
async function readBack(uri: string): Promise<{ [name: string]: { type: string; values: unknown[] } }> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const from = `FROM read_parquet('${pathOf(uri)}', file_row_number = true) ORDER BY file_row_number`;
  const result = await connection.run(`SELECT * EXCLUDE (file_row_number) ${from}`);
  const columns = await result.getColumnsJson();
  const found = result.columnNames().map((name, at) => [name, {
    type: String(result.columnType(at)),
    values: [...columns[at] ?? []],
  }]);
  connection.closeSync();
  instance.closeSync();
  return Object.fromEntries(found);
}

/** Each column: its values, and what Parquet makes of them: the type, and the values as DuckDB's JSON shows them. */
const COLUMNS: {
  readonly [name: string]: readonly [cells: readonly Cell[], type: string, values: readonly unknown[]];
} = {
  bool: [[true, false, null], "BOOLEAN", [true, false, null]],
  small: [[1, -2, null], "BIGINT", ["1", "-2", null]],
  edge: [[2n ** 63n - 1n, -(2n ** 63n), 0], "BIGINT", ["9223372036854775807", "-9223372036854775808", "0"]],
  unsigned: [[2n ** 64n - 1n, 0, null], "UBIGINT", ["18446744073709551615", "0", null]],
  "unsigned and below": [[2n ** 64n - 1n, -1, null], "DECIMAL(20,0)", ["18446744073709551615", "-1", null]],
  huge: [[10n ** 37n, -(2n ** 63n) - 1n, 1], "DECIMAL(38,0)", [
    `1${"0".repeat(37)}`,
    "-9223372036854775809",
    "1",
  ]],
  "too huge": [[10n ** 38n, 1, null], "VARCHAR", [`1${"0".repeat(38)}`, "1", null]],
  price: [[new Decimal("120340.50"), new Decimal("-0.125"), 3], "DECIMAL(9,3)", [
    "120340.500",
    "-0.125",
    "3.000",
  ]],
  "wide price": [
    [new Decimal(`${"9".repeat(30)}.12345678`), null, null],
    "DECIMAL(38,8)",
    [`${"9".repeat(30)}.12345678`, null, null],
  ],
  "too wide": [[new Decimal(`${"9".repeat(30)}.123456789`), null, null], "VARCHAR", [
    `${"9".repeat(30)}.123456789`,
    null,
    null,
  ]],
  double: [[0.1, 5e-324, 7], "DOUBLE", [0.1, 5e-324, 7]],
  odd: [[NaN, Infinity, -Infinity], "DOUBLE", ["NaN", "Infinity", "-Infinity"]],
  "long and double": [[9007199254740993n, 0.5, null], "VARCHAR", ["9007199254740993", "0.5", null]],
  "decimal and nan": [[new Decimal("1.50"), NaN, null], "VARCHAR", ["1.50", "nan", null]],
  text: [['a "b", c\nd\r\ne', "", "\\N"], "VARCHAR", ['a "b", c\nd\r\ne', "", "\\N"]],
  strange: [["null", "\u0000 ü \u{1F600} \u2028", " 'x' \\\\ "], "VARCHAR", [
    "null",
    "\u0000 ü \u{1F600} \u2028",
    " 'x' \\\\ ",
  ]],
  blob: [[Uint8Array.of(0, 255, 10), new Uint8Array(), null], "BLOB", ["\\x00\\xFF\\x0A", "", null]],
  "blob and text": [[Uint8Array.of(104, 105), "hi", null], "VARCHAR", ["aGk=", "hi", null]],
  json: [
    [
      new JsonText(' { "n": 1.50, "t": "a,\\"}" } '),
      [1, null, "x"],
      new Struct([["a", new Decimal("0.10")]]),
    ],
    "VARCHAR",
    ['{ "n": 1.50, "t": "a,\\"}" }', '[1,null,"x"]', '{"a":0.10}'],
  ],
  nothing: [[null, null, null], "VARCHAR", [null, null, null]],
  'a "quoted" näme': [[1, 2, 3], "BIGINT", ["1", "2", "3"]],
};

Deno.test("Parquet has every value as it was, in the narrowest type that holds all of a column", async () => {
  await withShelf(async (shelf) => {
    const names = Object.keys(COLUMNS);
    const rows = [0, 1, 2].map((n) => names.map((name) => COLUMNS[name]?.[0][n] ?? null));
    const id = await keep(shelf, names, rows);
    const artifact = await shelf.export(id, { format: "parquet", name: undefined, signal });
    const found = await readBack(artifact.uri);
    const expected = Object.entries(COLUMNS).map(([name, [, type, values]]) => [name, { type, values }]);
    assert.deepEqual(found, Object.fromEntries(expected));
    assert.deepEqual(Object.keys(found), names);
  });
});

Deno.test("CSV and JSON have every value digit for digit", async () => {
  await withShelf(async (shelf) => {
    const rows: Row[] = [
      [9007199254740993n, new Decimal("1.50"), 'a "b"', null, Uint8Array.of(104, 105), NaN],
      [1, null, "\\N", "", null, -0],
    ];
    const id = await keep(shelf, ["n", "n", "a\\b", "", "blob", "f"], rows);
    const csv = await shelf.export(id, { format: "csv", name: "late orders", signal });
    assert.equal(csv.name, "late orders.csv");
    assert.equal(
      await Deno.readTextFile(pathOf(csv.uri)),
      'n,n_2,a\\\\b,column_4,blob,f\n9007199254740993,1.50,"a ""b""",\\N,aGk=,nan\n1,\\N,\\\\N,,\\N,-0\n',
    );
    const json = await shelf.export(id, { format: "json", name: undefined, signal });
    assert.deepEqual([json.name, json.mediaType, json.kind], [
      "result_call_1.json",
      "application/json",
      "file",
    ]);
    assert.equal(
      await Deno.readTextFile(pathOf(json.uri)),
      '[\n{"n":9007199254740993,"n_2":1.50,"a\\\\b":"a \\"b\\"","column_4":null,"blob":"aGk=","f":"nan"},\n' +
        '{"n":1,"n_2":null,"a\\\\b":"\\\\N","column_4":"","blob":null,"f":-0}\n]\n',
    );
  });
});

Deno.test("a result without rows becomes a file without rows", async () => {
  await withShelf(async (shelf) => {
    const id = await keep(shelf, ["only"], []);
    const { uri } = await shelf.export(id, { format: "parquet", name: undefined, signal });
    assert.deepEqual(await readBack(uri), { only: { type: "VARCHAR", values: [] } });
    const csv = await shelf.export(id, { format: "csv", name: undefined, signal });
    assert.equal(await Deno.readTextFile(pathOf(csv.uri)), "only\n");
    const json = await shelf.export(id, { format: "json", name: undefined, signal });
    assert.deepEqual(JSON.parse(await Deno.readTextFile(pathOf(json.uri))), []);
  });
});

Deno.test("rows keep their order, and one of several megabytes has room", async () => {
  await withShelf(async (shelf) => {
    const wide = "ü".repeat(3 << 20);
    const rows = function* (): Generator<Row> {
      for (let n = 0; n < 200_000; n++) yield [n, n === 150_000 ? wide : `row ${n}`];
    };
    const id = await keep(shelf, ["n", "t"], rows());
    const { uri } = await shelf.export(id, { format: "parquet", name: undefined, signal });
    const { n, t } = await readBack(uri);
    assert.deepEqual(n?.values.map(Number), Array.from({ length: 200_000 }, (_, at) => at));
    assert.equal(t?.values[150_000], wide);
    assert.equal(t?.values[199_999], "row 199999");
  });
});

Deno.test("the descriptor is true, others may not read the file, and nothing else lies beside it", async () => {
  await withShelf(async (shelf, folder) => {
    const id = await keep(shelf, ["n"], [[1], [2]]);
    const artifact = await shelf.export(id, { format: "parquet", name: "numbers", signal });
    const bytes = await Deno.readFile(pathOf(artifact.uri));
    assert.equal(artifact.size, bytes.length);
    assert.equal(artifact.sha256, createHash("sha256").update(bytes).digest("hex"));
    assert.match(artifact.id, /^art_[0-9a-f]{32}$/);
    assert.deepEqual(await shelf.artifacts.find(artifact.id), artifact);
    const names = await Array.fromAsync(Deno.readDir(`${folder}/${artifact.id}`), ({ name }) => name);
    assert.deepEqual(names, ["numbers.parquet"]);
    if (Deno.build.os === "windows") return; // it has no such modes
    assert.equal(((await Deno.stat(pathOf(artifact.uri))).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(`${folder}/${artifact.id}`)).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("a name is a file name, whatever the model wrote", async () => {
  await withShelf(async (shelf) => {
    const id = await keep(shelf, ["n"], [[1]]);
    const nameOf = async (name: string) => (await shelf.export(id, { format: "csv", name, signal })).name;
    assert.equal(await nameOf("../../etc/passwd"), "_.._etc_passwd.csv");
    assert.equal(await nameOf("Umsätze 2025.csv"), "Umsätze 2025.csv");
    assert.equal(await nameOf("a%2F#?b\u0000\n"), "a_2F_b_.csv");
    assert.equal(await nameOf("x".repeat(500)), `${"x".repeat(200)}.csv`);
    assert.equal(await nameOf("𠀀".repeat(200)), `${"𠀀".repeat(50)}.csv`);
    await assert.rejects(nameOf(" .. "), /Cannot name the file/);
    assert.ok((await shelf.export(id, { format: "csv", name: "a b#", signal })).uri.endsWith("/a%20b_.csv"));
  });
});

Deno.test("unknown, foreign, gone and changed ones are unavailable alike", async () => {
  await withShelf(async (shelf, folder) => {
    const id = await keep(shelf, ["n"], [[1]]);
    const make = async () => await shelf.export(id, { format: "csv", name: undefined, signal });
    const [gone, changed, replaced] = [await make(), await make(), await make()];
    await Deno.remove(pathOf(gone.uri));
    await Deno.writeTextFile(pathOf(changed.uri), "n\n2\n");
    await Deno.remove(pathOf(replaced.uri));
    await Deno.symlink(`${folder}/${id}/rows.ndjson`, pathOf(replaced.uri));
    for (const wrong of ["art_0", "../lock", id, gone.id, changed.id, replaced.id]) {
      await assert.rejects(shelf.artifacts.find(wrong), {
        code: "unavailable",
        message: `Artifact "${wrong}" is unavailable.`,
      });
    }
    await Deno.writeTextFile(`${folder}/${id}/rows.ndjson`, '{"n":2}\n');
    for (const wrong of ["qr_0", gone.id, id]) {
      await assert.rejects(shelf.export(wrong, { format: "csv", name: undefined, signal }), {
        code: "unavailable",
        message: `Query result "${wrong}" is unavailable.`,
      });
    }
  });
});

/** Waits until a file with this ending is being written in a folder of the folder. */
async function untilWritten(folder: string, ending: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.startsWith(".tmp-art_")) continue;
      const files = await Array.fromAsync(Deno.readDir(`${folder}/${name}`), (file) => file.name);
      if (files.some((file) => file.endsWith(ending))) return;
    }
  }
  assert.fail("nothing is being written");
}

Deno.test("an export that is aborted leaves nothing behind", async () => {
  await withShelf(async (shelf, folder) => {
    const rows = function* (): Generator<Row> {
      for (let n = 0; n < 300_000; n++) yield [n, `row ${n}`, n / 7];
    };
    const id = await keep(shelf, ["n", "t", "f"], rows());
    for (const format of ["csv", "json", "parquet"] as const) {
      const abort = new AbortController();
      const exporting = shelf.export(id, { format, name: undefined, signal: abort.signal });
      await untilWritten(folder, `.${format}`);
      abort.abort();
      await assert.rejects(exporting, (error) => abort.signal.aborted && error instanceof Error);
    }
    const left = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assert.deepEqual(left.filter((name) => !/^(lock|qr_\w+)$/.test(name)), []);
  });
});
