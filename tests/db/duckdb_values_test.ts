/**
 * Each type of DuckDB as Cells, compared with what DuckDB itself prints of the same value.
 */
import assert from "node:assert/strict";
import { driver } from "../../src/db/duckdb.ts";
import { type Cell, Decimal, JsonText, Struct } from "../../src/db/values.ts";
import { ask } from "../support/duckdb.ts";

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

const EXACT: { readonly [sql: string]: Cell } = {
  "true": true,
  "NULL": null,
  "(-128)::TINYINT": -128,
  "65535::USMALLINT": 65535,
  "4294967295::UINTEGER": 4294967295,
  "9007199254740991": Number.MAX_SAFE_INTEGER,
  "9007199254740992": 9007199254740992n,
  "-9223372036854775808": -9223372036854775808n,
  "18446744073709551615::UBIGINT": 18446744073709551615n,
  "7::HUGEINT": 7,
  "(-170141183460469231731687303715884105728)::HUGEINT": -170141183460469231731687303715884105728n,
  "340282366920938463463374607431768211455::UHUGEINT": 340282366920938463463374607431768211455n,
  "('1' || repeat('0', 60))::BIGNUM": 10n ** 60n,
  "1.50::DECIMAL(4,2)": new Decimal("1.50"),
  "(-0.05)::DECIMAL(3,2)": new Decimal("-0.05"),
  "12::DECIMAL(2,0)": new Decimal("12"),
  "99999999999999999999.999999999999999999::DECIMAL(38,18)": new Decimal(
    "99999999999999999999.999999999999999999",
  ),
  "(-123456789.123456789)::DECIMAL(18,9)": new Decimal("-123456789.123456789"),
  "3.14::FLOAT": 3.14,
  "0.1::FLOAT": 0.1,
  "16777217::FLOAT": 16777216,
  "1e-45::FLOAT": 1e-45,
  "3.4028235e38::FLOAT": 3.4028235e38,
  "0.1::DOUBLE + 0.2::DOUBLE": 0.1 + 0.2,
  "'-0'::DOUBLE": -0,
  "'nan'::FLOAT": NaN,
  "'-inf'::DOUBLE": -Infinity,
  "'a' || chr(0) || 'é😀'": "a\0é😀",
  "'\\x00\\xFFa'::BLOB": new Uint8Array([0, 255, 97]),
  "''::BLOB": new Uint8Array(),
  "'0110'::BIT": "0110",
  "'01234567-89ab-cdef-0123-456789abcdef'::UUID": "01234567-89ab-cdef-0123-456789abcdef",
  "'b c'::ENUM('a', 'b c')": "b c",
  [`'{"a": 12345678901234567890.10}'::JSON`]: new JsonText('{"a": 12345678901234567890.10}'),
  "[1, NULL, 9007199254740993]": [1, null, 9007199254740993n],
  "[[1], []]::INTEGER[][]": [[1], []],
  "[1.5, 2.5]::DECIMAL(3,1)[2]": [new Decimal("1.5"), new Decimal("2.5")],
  "NULL::INTEGER[]": null,
  "{'2': 1, '1': [{'x y': NULL}], '__proto__': 'p'}": new Struct([
    ["2", 1],
    ["1", [new Struct([["x y", null]])]],
    ["__proto__", "p"],
  ]),
  "MAP {'k': 1, '': 2}": new Struct([["k", 1], ["", 2]]),
  "MAP {1: 'a', 2: NULL}": [[1, "a"], [2, null]],
  "MAP {DATE '2020-01-01': 1}": new Struct([["2020-01-01", 1]]),
  "1::UNION(n INTEGER, s VARCHAR)": 1,
  "'x'::UNION(n INTEGER, s VARCHAR)": "x",
  "['{}'::JSON]": [new JsonText("{}")],
  "TIMESTAMPTZ '2020-01-02 03:04:05.6+05:30'": "2020-01-01T21:34:05.6+00:00",
  "TIMETZ '12:00:00.5-03:30'": "12:00:00.5-03:30",
  "TIMETZ '12:00:00+02'": "12:00:00+02:00",
  "'POINT Z (1 2.5 -3)'::GEOMETRY": "POINT Z (1 2.5 -3)",
  "{'a': [1, 2], 'b': DATE '2020-01-01'}::VARIANT": new Struct([["a", [1, 2]], ["b", "2020-01-01"]]),
  "9007199254740993::VARIANT": 9007199254740993n,
};

Deno.test("a value of each type is the Cell it must be, in a row and in a list", async () => {
  const expressions = Object.keys(EXACT);
  const database = await driver.open(MEMORY, OPTIONS);
  try {
    const row = (await ask(database, `SELECT ${expressions.join(",\n")}`)).rows[0] ?? [];
    const lists = (await ask(
      database,
      `SELECT ${expressions.map((each) => `[${each}]`).join(",\n")}`,
    )).rows[0] ?? [];
    expressions.forEach((sql, index) => {
      assert.deepEqual(row[index], EXACT[sql], sql);
      assert.deepEqual(lists[index], [EXACT[sql]], `[${sql}]`);
    });
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
