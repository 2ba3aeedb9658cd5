/**
 * Data files as one database: what opens, what does not, what stays as it is, and how soon a large file is there.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { driver } from "../../../src/db/files.ts";
import { guard } from "../../../src/db/guarded.ts";
import { Decimal, Struct } from "../../../src/db/values.ts";
import { exportTables, filesTarget } from "../../support/data_files.ts";
import { ask, faultOf, testFolder } from "../../support/duckdb.ts";
import { shop } from "../../support/shop.ts";

const READ = { access: "read", timeoutMs: 10_000 } as const;
const WRITE = { access: "write", timeoutMs: 10_000 } as const;
const NEVER = new AbortController().signal;

Deno.test("what cannot be opened gets one sentence that names the file", async (t) => {
  await using folder = await testFolder();
  const noise = Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919 + n * n) % 256);
  const contents: { readonly [name: string]: Uint8Array | string } = {
    "noise.csv": noise,
    "latin.csv": Uint8Array.of(97, 10, 0xe9, 10),
    "noise.parquet": noise,
    "empty.parquet": "",
    "text.parquet": "PAR1 but no more",
    "open.json": '{"a": 1',
    "noise.json": noise,
  };
  for (const [name, bytes] of Object.entries(contents)) {
    const data = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    await Deno.writeFile(join(folder.path, name), data);
  }
  await Deno.mkdir(join(folder.path, "folder.csv"));
  for (const name of [...Object.keys(contents), "missing.csv", "missing.parquet", "folder.csv"]) {
    await t.step(name, async () => {
      const path = join(folder.path, name);
      const fault = await faultOf(() => driver.open(filesTarget([path]), READ));
      assert.equal(fault?.code, "bad_target");
      assert.match(fault.message, /^Cannot open \S+: [a-z][^\n{}]*\.$/i);
      assert.ok(fault.message.includes(name) && !fault.message.includes(folder.path));
      assert.doesNotMatch(fault.server?.message ?? "", /Possible fixes|Candidates/);
    });
  }
  await t.step("an unknown encoding", async () => {
    const path = join(folder.path, "latin.csv");
    const fault = await faultOf(() => driver.open(filesTarget([path], { encoding: "windows-1252" }), READ));
    assert.match(fault?.message ?? "", /"windows-1252" is not known\. Use utf-8, utf-16 or latin-1\.$/);
  });
});

Deno.test("JSON lines and JSON arrays, with integers of any size", async () => {
  await using folder = await testFolder();
  const [lines, array] = [join(folder.path, "lines.jsonl"), join(folder.path, "array.json")];
  await Deno.writeTextFile(
    lines,
    '{"a": 1, "b": {"c": [1, 2]}, "n": 12345678901234567890123}\n{"a": 2, "x y": "é"}\n',
  );
  await Deno.writeTextFile(array, '[{"n": 18446744073709551616, "f": 1.5}, {"n": 1}]');
  const database = await driver.open(filesTarget([lines, array]), READ);
  try {
    assert.deepEqual((await ask(database, "FROM lines")).rows, [
      [1, new Struct([["c", [1, 2]]]), 12345678901234567890123n, null],
      [2, null, null, "é"],
    ]);
    assert.deepEqual((await ask(database, 'FROM "array"')).rows, [[18446744073709551616n, 1.5], [1, null]]);
  } finally {
    await database.close();
  }
});

Deno.test("fractions of JSON files that a double would bend keep their digits", async () => {
  await using folder = await testFolder();
  const at = (name: string) => join(folder.path, name);
  const objects = [
    String.raw`{"id": 1, "long": 0.12345678901234567890123, "wide": 12345678901234567.25, "short": 1.5,
      "text": "9.75, \" : 1.25 \\", "list": [{"a": 0.5}], "day": "2024-01-02"}`,
    `{"id": 2, "long": -7, "wide": -0.125, "short": 2e3, "text": "-3.75", "list": [], "x y": 1}`,
    String.raw`{"long": null, "text": "{\"long\": 0.5}"}`,
  ];
  await Deno.writeTextFile(at("lines.jsonl"), objects.map((text) => text.replaceAll("\n", " ")).join("\n"));
  await Deno.writeTextFile(at("list.json"), `[${objects.join(",\n")}]`);
  await Deno.writeTextFile(at("plain.jsonl"), "1.5\n0.12345678901234567890123\n");
  await Deno.writeTextFile(
    at("mixed.jsonl"),
    '{"f": 0.12345678901234567890123, "j": 1.5}\n{"f": 1, "j": {"a": [1.5]}}\n',
  );
  const names = ["lines.jsonl", "list.json", "plain.jsonl", "mixed.jsonl"].map(at);
  const database = await driver.open(filesTarget(names), READ);
  try {
    for (const table of ["lines", "list"]) {
      const select = 'long, wide, short, text, list, CAST(day AS VARCHAR), id, "x y"';
      assert.deepEqual((await ask(database, `SELECT ${select} FROM ${table}`)).rows, [
        [
          new Decimal("0.12345678901234567890123"),
          new Decimal("12345678901234567.250"),
          1.5,
          '9.75, " : 1.25 \\',
          [new Struct([["a", 0.5]])],
          "2024-01-02",
          1,
          null,
        ],
        [new Decimal("-7.00000000000000000000000"), new Decimal("-0.125"), 2000, "-3.75", [], null, 2, 1],
        [null, null, null, '{"long": 0.5}', null, null, null, null],
      ]);
    }
    const mixed = await ask(database, "SELECT f, CAST(j AS VARCHAR) FROM mixed");
    assert.deepEqual(mixed.rows.map(([, json]) => json), ["1.5", '{"a":[1.5]}']);
    assert.deepEqual(mixed.rows.map(([f]) => f), [
      new Decimal("0.12345678901234567890123"),
      new Decimal("1.00000000000000000000000"),
    ]);
    assert.equal(
      (await faultOf(() => ask(database, "FROM plain")))?.message,
      'Cannot run the statement: the column "json" of plain.jsonl has a number with more digits than DuckDB keeps ' +
        "there. Write it as text.",
    );
  } finally {
    await database.close();
  }
});

Deno.test("files of several kinds are tables of one database, under the names that they are given", async () => {
  await using folder = await testFolder();
  const names = ["a b", 'q"uote', "dot.ted", "it's", "größe", "SELECT", "per%cent", "star*[x]?"];
  const setup = ['CREATE TABLE "one" AS SELECT 1 AS id, 1.50::DECIMAL(9,2) AS price'];
  const [parquet = ""] = await exportTables(folder.path, { setup, format: "parquet" });
  const paths = [parquet];
  for (const [index, name] of names.entries()) {
    const path = join(folder.path, `${index} ${name}.csv`);
    await Deno.writeTextFile(path, `id\n${index}\n`);
    paths.push(path);
  }
  const target = filesTarget(paths);
  const files = target.files.map((file, index) =>
    index === 0 ? file : { ...file, table: names[index - 1] ?? "" }
  );
  const database = guard(await driver.open({ ...target, files }, READ), READ);
  try {
    assert.deepEqual((await ask(database, "SELECT * FROM one")).rows, [[1, new Decimal("1.50")]]);
    for (const [index, name] of names.entries()) {
      const sql = `SELECT t.id FROM "${name.replaceAll('"', '""')}" t, one`;
      assert.deepEqual((await ask(database, sql)).rows, [[index]]);
    }
    const tables = await database.tables({ signal: NEVER });
    assert.deepEqual(
      tables.map((table) => [table.schema, table.kind, table.name]),
      [...names, "one"].toSorted().map((name) => ["main", "view", name]),
    );
    assert.deepEqual((await database.tables({ pattern: "dot.t%", signal: NEVER })).map(({ name }) => name), [
      "dot.ted",
    ]);
  } finally {
    await database.close();
  }
});

Deno.test("the files stay as they are and no other file is read, whatever is run without the guard", async (t) => {
  await using folder = await testFolder();
  const csv = join(folder.path, "data.csv");
  const other = join(folder.path, "other.csv");
  const out = join(folder.path, "out");
  await Deno.writeTextFile(csv, "a\n1\n");
  await Deno.writeTextFile(other, "secret\n42\n");
  const setup = ["CREATE TABLE p AS SELECT 1 AS a"];
  const [parquet = ""] = await exportTables(folder.path, { setup, format: "parquet" });
  const before = await Promise.all([csv, other, parquet].map((path) => Deno.readFile(path)));
  const statements = [
    ...[csv, parquet, out, other].flatMap((path) => [
      `COPY (SELECT 7 AS a) TO '${path}'`,
      `COPY (SELECT 7 AS a) TO '${path}' (USE_TMP_FILE false)`,
      `COPY data TO '${path}' (FORMAT parquet, USE_TMP_FILE false)`,
      `EXPLAIN ANALYZE COPY (SELECT 7 AS a) TO '${path}' (USE_TMP_FILE false)`,
      `EXPLAIN (ANALYZE) COPY (SELECT 7 AS a) TO '${path}' (USE_TMP_FILE false)`,
      `EXPORT DATABASE '${path}'`,
      `ATTACH '${path}' AS x`,
      `COPY data FROM '${path}'`,
    ]),
    `SELECT * FROM '${other}'`,
    `SELECT * FROM read_csv('${other}')`,
    `SELECT * FROM read_text('${csv}/../other.csv')`,
    `SELECT * FROM read_text('${folder.path}/./other.csv')`,
    `SELECT * FROM read_text('/etc/hostname')`,
    `SELECT * FROM glob('${folder.path}/*')`,
    `SELECT * FROM sniff_csv('${other}')`,
    `SELECT * FROM read_blob('${folder.path}/*')`,
    `SELECT * FROM parquet_metadata('${folder.path}/*.parquet')`,
    "SELECT * FROM 'https://127.0.0.1:9/x.csv'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET allowed_paths = ['/']",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET enable_external_access",
    "PRAGMA enable_profiling",
    "CREATE SECRET (TYPE s3)",
  ];
  for (const options of [READ, WRITE]) {
    const database = await driver.open(filesTarget([csv, parquet]), options);
    try {
      for (const sql of statements) {
        await t.step(`${options.access}: ${sql.replaceAll(folder.path, "")}`, async () => {
          assert.ok(await faultOf(() => ask(database, sql)));
        });
      }
      assert.deepEqual((await ask(database, "SELECT data.a, p.a FROM data, p")).rows, [[1, 1]]);
    } finally {
      await database.close();
    }
  }
  assert.deepEqual(await Promise.all([csv, other, parquet].map((path) => Deno.readFile(path))), before);
  assert.deepEqual([...Deno.readDirSync(folder.path)].map((entry) => entry.name).sort(), [
    "data.csv",
    "other.csv",
    "p.parquet",
  ]);
});

Deno.test("the shop's files give what the shop's database holds", async () => {
  const file = await shop("duckdb");
  const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const count = async (table: string) =>
    (await connection.runAndReadAll(`SELECT count(*) FROM ${table}`)).value(0, 0);
  try {
    for (const format of ["csv", "parquet"] as const) {
      const folder = await shop(format);
      const paths = [...Deno.readDirSync(folder)].map(({ name }) => join(folder, name));
      const database = guard(await driver.open(filesTarget(paths), READ), READ);
      try {
        for (const { table } of filesTarget(paths).files) {
          const { rows } = await ask(database, `SELECT count(*) FROM ${table}`);
          assert.equal(BigInt(Number(rows[0]?.[0])), await count(table), `${format} ${table}`);
        }
      } finally {
        await database.close();
      }
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

/** What this process has read from files so far, as Linux tells it. */
async function bytesRead(): Promise<number> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${Deno.pid}/io`] }).output();
  return Number(/rchar: (\d+)/.exec(new TextDecoder().decode(stdout))?.[1]);
}

Deno.test("a large Parquet file is there at once", { ignore: Deno.build.os !== "linux" }, async () => {
  await using folder = await testFolder();
  const setup = [
    "CREATE TABLE big AS SELECT range AS id, 'name ' || range AS name, random() AS x FROM range(3000000)",
  ];
  const [path = ""] = await exportTables(folder.path, { setup, format: "parquet" });
  const { size } = await Deno.stat(path);
  const before = await bytesRead();
  const database = await driver.open(filesTarget([path]), READ);
  try {
    assert.equal((await ask(database, "SELECT id FROM big LIMIT 10")).rows.length, 10);
    const read = await bytesRead() - before;
    assert.ok(read < size / 4, `${read} bytes of ${size} were read`);
  } finally {
    await database.close();
  }
});
