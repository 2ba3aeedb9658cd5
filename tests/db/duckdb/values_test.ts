/**
 * Each type of DuckDB as Cells, compared with what DuckDB itself prints of the same value.
 */
import assert from "node:assert/strict";
import { driver } from "../../../src/db/duckdb.ts";
import { type Cell, Struct } from "../../../src/db/values.ts";
import { run } from "../../suites/database_fixture.ts";
import { ask } from "../../support/duckdb.ts";
import { DUCKDB_VALUES } from "../../support/duckdb_values.ts";

const MEMORY = { engine: "duckdb", name: "memory", path: ":memory:", excludeSchemas: [] } as const;
const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

/** The one column of a query. */
async function cells(sql: string): Promise<Cell[]> {
  const database = await driver.open(MEMORY, OPTIONS);
  try {
    return (await ask(database, sql)).rows.map(([cell]) => cell ?? null);
  } finally {
    await database.close();
  }
}

/** Values of one type, as Cells and as DuckDB prints them. */
async function pairs(from: string): Promise<readonly (readonly [Cell, string])[]> {
  const database = await driver.open(MEMORY, OPTIONS);
  try {
    const { rows } = await ask(database, `SELECT x, CAST(x AS VARCHAR) FROM (${from}) t(x)`);
    return rows.map(([cell, text]) => [cell ?? null, String(text)]);
  } finally {
    await database.close();
  }
}

Deno.test("a value of each type is the same Cell in a list, a struct and a map", async () => {
  const database = await driver.open(MEMORY, OPTIONS);
  try {
    const list = DUCKDB_VALUES.map(({ sql }) => `[${sql}], {'m': ${sql}}, MAP {'k': ${sql}}`).join(",\n");
    const row = (await ask(database, `SELECT ${list}`)).rows[0] ?? [];
    DUCKDB_VALUES.forEach(({ sql, cell }, index) => {
      const expected = [[cell], new Struct([["m", cell]]), new Struct([["k", cell]])];
      assert.deepEqual(row.slice(index * 3, index * 3 + 3), expected, sql);
    });
  } finally {
    await database.close();
  }
});

Deno.test("values keep their rows, however rows are dealt into batches", async () => {
  const database = await driver.open(MEMORY, OPTIONS);
  const read = async (list: string, value = "NULL") => {
    const joined = `range(5000) r(n) LEFT JOIN (SELECT ${value} AS x) v ON n % 3 = 0`;
    const { batches } = await run(database, `SELECT ${list} FROM ${joined} ORDER BY n`);
    return (await Array.fromAsync(batches)).flat();
  };
  try {
    for (const { sql, cell } of DUCKDB_VALUES) {
      const rows = await read("n, x", sql);
      assert.deepEqual(rows, Array.from({ length: 5000 }, (_, n) => [n, n % 3 === 0 ? cell : null]), sql);
    }
    const nested =
      "'a longer text of row ' || n, [n, n + 1], [n, -n]::INTEGER[2], [[n], [], [NULL, n]], {'a': n, 'b': [n]}, " +
      "MAP {'k': n}, (n % 3)::VARCHAR::ENUM('0', '1', '2')";
    const expected = (n: number) => [
      `a longer text of row ${n}`,
      [n, n + 1],
      [n, n === 0 ? 0 : -n],
      [[n], [], [null, n]],
      new Struct([["a", n], ["b", [n]]]),
      new Struct([["k", n]]),
      String(n % 3),
    ];
    assert.deepEqual(await read(nested), Array.from({ length: 5000 }, (_, n) => expected(n)));
  } finally {
    await database.close();
  }
});

/** What DuckDB prints, in ISO 8601 where that has a form for it. */
function iso(text: string): string {
  return /BC|infinity|^\d{5}/.test(text) ? text : text.replace(" ", "T");
}

const TEMPORAL: { readonly [from: string]: (text: string) => string } = {
  "SELECT DATE '0001-01-01' + (range::INTEGER * 1237 - 1000000) FROM range(4000)": iso,
  "SELECT unnest(['infinity', '-infinity', '5881580-07-10', '0001-12-31 (BC)', '9999-12-31', '10000-01-01']::DATE[])":
    iso,
  "SELECT make_timestamp((range * 123456789171717) - 300000000000000000) FROM range(4000)": iso,
  "SELECT unnest(['infinity', '-infinity', '0044-03-15 (BC) 12:00:00.5', '1969-12-31 23:59:59.999999', '294247-01-10 04:00:54.775806']::TIMESTAMP[])":
    iso,
  "SELECT unnest(['infinity', '1969-12-31 23:59:59', '0044-03-15 (BC) 12:00:00']::TIMESTAMP_S[])": iso,
  "SELECT unnest(['infinity', '1969-12-31 23:59:59.001', '2020-01-01']::TIMESTAMP_MS[])": iso,
  "SELECT unnest(['infinity', '1969-12-31 23:59:59.123456789', '2262-04-11 23:47:16.854775806']::TIMESTAMP_NS[])":
    iso,
  "SELECT unnest(['infinity', '1969-12-31 23:59:59.5+05:30', '0044-03-15 (BC) 12:00:00']::TIMESTAMPTZ[])": (
    text,
  ) => iso(text).replace(/(T.*\+00)$/, "$1:00"),
  "SELECT unnest(['00:00:00', '24:00:00', '12:34:56.7', '00:00:00.000001']::TIME[])": (text) => text,
  "SELECT unnest(['00:00:00', '12:34:56.123456789']::TIME_NS[])": (text) => text,
  "SELECT to_months((range - 200)::INTEGER) + to_days((range % 5 - 2)::INTEGER) + to_microseconds((range - 200) * 123456789) FROM range(400)":
    (text) => text,
  "SELECT to_microseconds(unnest([9223372036854775807, -9223372036854775807, 0, 1, -1]))": (text) => text,
};

for (const [from, expected] of Object.entries(TEMPORAL)) {
  Deno.test(`dates and times are as DuckDB prints them: ${from.slice(0, 70)}`, async () => {
    const found = await pairs(from);
    assert.ok(found.length > 1);
    for (const [cell, text] of found) assert.equal(cell, expected(text));
  });
}

Deno.test("zoned times do not depend on the zone of the machine", async () => {
  assert.deepEqual(await cells("SELECT current_setting('TimeZone')"), ["UTC"]);
});

Deno.test("a float is the shortest number that its 32 bits tell apart", async () => {
  const found = await pairs("SELECT (random() * pow(10, range % 60 - 30))::FLOAT FROM range(2000)");
  for (const [cell, text] of found) {
    assert.equal(Math.fround(Number(cell)), Math.fround(Number(text)));
    assert.ok(digitsOf(String(cell)) <= digitsOf(text), `${cell} for ${text}`);
  }
});

function digitsOf(number: string): number {
  return number.replace(/e.*$/, "").replace(/\D/g, "").replace(/^0+|0+$/g, "").length;
}

Deno.test("columns carry their types, and repeated names stay as they are", async () => {
  const database = await driver.open(MEMORY, OPTIONS);
  try {
    const { columns } = await ask(
      database,
      "SELECT 1 AS a, 'x' AS a, '{}'::JSON AS j, 1.5::DECIMAL(9,3) AS d, [1] AS l, {'k': 1} AS s, TIMESTAMPTZ 'epoch' AS t",
    );
    assert.deepEqual(columns, [
      { name: "a", type: "INTEGER" },
      { name: "a", type: "VARCHAR" },
      { name: "j", type: "JSON" },
      { name: "d", type: "DECIMAL(9,3)" },
      { name: "l", type: "INTEGER[]" },
      { name: "s", type: 'STRUCT("k" INTEGER)' },
      { name: "t", type: "TIMESTAMP WITH TIME ZONE" },
    ]);
  } finally {
    await database.close();
  }
});

Deno.test("a row whose members have no names is refused, or is text", async () => {
  const database = await driver.open(MEMORY, OPTIONS);
  try {
    for (const sql of ["SELECT row(1, 'a')", "SELECT [row(1, 'a')]"]) {
      await assert.rejects(ask(database, sql), {
        code: "unsupported_value",
        message: /Cast it to text in SQL/,
      });
    }
    const text = await ask(database, "SELECT CAST(row(1, 'a') AS VARCHAR), CAST(NULL AS ROW(a INT, b INT))");
    assert.deepEqual(text.rows, [["(1, a)", null]]);
  } finally {
    await database.close();
  }
});
