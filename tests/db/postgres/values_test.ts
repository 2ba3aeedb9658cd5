/** What each PostgreSQL type becomes, on the oldest and the newest server. */
import assert from "node:assert/strict";
import type { Database } from "../../../src/db/driver.ts";
import { type Cell, Decimal, JsonText, Struct } from "../../../src/db/values.ts";
import { openPostgres, runAll } from "../../support/postgres_database.ts";
import { ADMIN, adminClient, type PostgresVersion, sharedPostgres } from "../../support/postgres_server.ts";

const SCHEMA = `
DROP SCHEMA IF EXISTS kinds CASCADE;
CREATE SCHEMA kinds;
CREATE TYPE kinds.mood AS ENUM ('sad', 'it''s ok', 'happy');
CREATE TYPE kinds.place AS (street text, number int, since timestamptz);
CREATE TYPE kinds.person AS (name text, home kinds.place, aliases text[]);
CREATE DOMAIN kinds.percentage AS numeric(5, 2) CHECK (VALUE BETWEEN 0 AND 100);
CREATE DOMAIN kinds.percentages AS kinds.percentage[];
CREATE TYPE kinds.measured AS (share kinds.percentage, shares kinds.percentages);
CREATE TABLE kinds.altered (a int, gone text, b bigint);
INSERT INTO kinds.altered VALUES (1, 'x', 9007199254740993);
ALTER TABLE kinds.altered DROP COLUMN gone;
GRANT USAGE ON SCHEMA kinds TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA kinds TO PUBLIC`;

const decimal = (text: string) => new Decimal(text);
const json = (text: string) => new JsonText(text);
const struct = (fields: { [name: string]: Cell }) => new Struct(Object.entries(fields));

/** An expression, and the cell it becomes. */
const CASES: readonly (readonly [expression: string, cell: Cell])[] = [
  ["NULL", null],
  ["NULL::int[]", null],
  ["true", true],
  ["false", false],
  ["32767::smallint", 32767],
  ["-2147483648", -2147483648],
  ["9007199254740991::bigint", 9007199254740991],
  ["9007199254740993::bigint", 9007199254740993n],
  ["(-9223372036854775808)::bigint", -9223372036854775808n],
  ["4294967295::oid", 4294967295],
  ["0.1::float4", 0.1],
  ["3.4028235e38::float4", 3.4028235e38],
  ["0.1::float8 + 0.2::float8", 0.30000000000000004],
  ["5e-324::float8", 5e-324],
  ["'-0'::float8", -0],
  ["'NaN'::float4", NaN],
  ["'Infinity'::float8", Infinity],
  ["'-Infinity'::float8", -Infinity],
  [
    "12345678901234567890.123456789012345678901234567890::numeric",
    decimal("12345678901234567890.123456789012345678901234567890"),
  ],
  ["1::numeric(10, 3)", decimal("1.000")],
  ["-0.5", decimal("-0.5")],
  ["'NaN'::numeric", NaN],
  ["'$1,234.50'::money", "$1,234.50"],
  ["''", ""],
  ["'two' || chr(10) || 'lines'", "two\nlines"],
  ["'a'::char(3)", "a  "],
  ["'x'::\"char\"", "x"],
  ["'\\xdeadbeef'::bytea", new Uint8Array([0xde, 0xad, 0xbe, 0xef])],
  ["''::bytea", new Uint8Array()],
  ["'2024-02-29'::date", "2024-02-29"],
  ["'0044-03-15 BC'::date", "0044-03-15 BC"],
  ["'infinity'::date", "infinity"],
  ["'12345-01-01'::date", "12345-01-01"],
  ["'03:04:05.678'::time", "03:04:05.678"],
  ["'24:00:00'::time", "24:00:00"],
  ["'03:04:05+02'::timetz", "03:04:05+02:00"],
  ["'03:04:05-02:30'::timetz", "03:04:05-02:30"],
  ["'2024-01-02 03:04:05.123456'::timestamp", "2024-01-02T03:04:05.123456"],
  ["'-infinity'::timestamp", "-infinity"],
  ["'0001-12-31 23:59:59 BC'::timestamp", "0001-12-31 23:59:59 BC"],
  ["'2024-07-01 12:00:00+02'::timestamptz", "2024-07-01T10:00:00+00:00"],
  ["'2024-07-01 12:00:00 Asia/Kathmandu'::timestamptz", "2024-07-01T06:15:00+00:00"],
  ["'infinity'::timestamptz", "infinity"],
  ["'1 year 2 mons -3 days 04:05:06.7'::interval", "1 year 2 mons -3 days +04:05:06.7"],
  ["'0189f7ea-ae2c-7809-8aeb-b819cf5e9e7f'::uuid", "0189f7ea-ae2c-7809-8aeb-b819cf5e9e7f"],
  ['\'{"a": 12345678901234567890, "b":[1.10]}\'::json', json('{"a": 12345678901234567890, "b":[1.10]}')],
  ['\'{"b": 1.10, "a": 12345678901234567890}\'::jsonb', json('{"a": 12345678901234567890, "b": 1.10}')],
  ["'null'::jsonb", json("null")],
  ["'<a>1</a>'::xml", "<a>1</a>"],
  ["B'0101'", "0101"],
  ["'192.168.0.1/24'::inet", "192.168.0.1/24"],
  ["'08:00:2b:01:02:03'::macaddr", "08:00:2b:01:02:03"],
  ["'[1,10)'::int4range", "[1,10)"],
  ["tsrange('2024-01-01', NULL)", '["2024-01-01 00:00:00",)'],
  ["to_tsvector('simple', 'a b a')", "'a':1,3 'b':2"],
  ["point(1, 2)", "(1,2)"],
  ["'1 2 3'::int2vector", "1 2 3"],
  ["'pg_class'::regclass", "pg_class"],
  ["'sad'::kinds.mood", "sad"],
  ["ARRAY['it''s ok', NULL]::kinds.mood[]", ["it's ok", null]],
  ["'{}'::int[]", []],
  ["ARRAY[1, NULL, 3]", [1, null, 3]],
  ["ARRAY[[1, 2], [3, NULL]]::bigint[]", [[1, 2], [3, null]]],
  ["ARRAY[9007199254740993]::bigint[]", [9007199254740993n]],
  ["ARRAY[1.10, 'NaN']::numeric[]", [decimal("1.10"), NaN]],
  ["ARRAY['a,b', '{x}', 'say \"hi\"', 'back\\slash', 'NULL', NULL, '', ' ']", [
    "a,b",
    "{x}",
    'say "hi"',
    "back\\slash",
    "NULL",
    null,
    "",
    " ",
  ]],
  ["ARRAY['2024-01-01 00:00:00', 'infinity']::timestamp[]", ["2024-01-01T00:00:00", "infinity"]],
  ["ARRAY['\\x00ff', NULL]::bytea[]", [new Uint8Array([0, 255]), null]],
  ["ARRAY['{\"a\": [1, 2]}']::jsonb[]", [json('{"a": [1, 2]}')]],
  ["ARRAY[box '((1,2),(3,4))', box '((0,0),(1,1))']", ["(3,4),(1,2)", "(1,1),(0,0)"]],
  ["ARRAY['1 day']::interval[]", ["1 day"]],
  ["'[0:1]={1,2}'::int[]", "[0:1]={1,2}"],
  ["ROW(1, 'a', NULL)", "(1,a,)"],
  ["50.5::kinds.percentage", decimal("50.50")],
  [
    "ROW('Main \"St\", 1', 5, '2024-01-01 00:00+01')::kinds.place",
    struct({ street: 'Main "St", 1', number: 5, since: "2023-12-31T23:00:00+00:00" }),
  ],
  ["ROW(NULL, NULL, NULL)::kinds.place", struct({ street: null, number: null, since: null })],
  ["ROW('', 1, NULL)::kinds.place", struct({ street: "", number: 1, since: null })],
  [
    "ROW('Ada', ROW('a\\b', 7, NULL)::kinds.place, ARRAY['x,y', NULL])::kinds.person",
    struct({ name: "Ada", home: struct({ street: "a\\b", number: 7, since: null }), aliases: ["x,y", null] }),
  ],
  ["ARRAY[ROW('s', 1, NULL)::kinds.place]", [struct({ street: "s", number: 1, since: null })]],
  [
    "ROW(12.5, ARRAY[1, 99.99])::kinds.measured",
    struct({ share: decimal("12.50"), shares: [decimal("1.00"), decimal("99.99")] }),
  ],
  ["(SELECT altered FROM kinds.altered)", struct({ a: 1, b: 9007199254740993n })],
];

/** Types that older servers lack. */
const SINCE_14: typeof CASES = [
  ["'Infinity'::numeric", Infinity],
  ["'-Infinity'::numeric", -Infinity],
  ["'{[1,3),[5,7)}'::int4multirange", "{[1,3),[5,7)}"],
];

async function check(database: Database, cases: typeof CASES): Promise<void> {
  for (const [expression, expected] of cases) {
    const { rows } = await runAll(database, `SELECT ${expression}`);
    assert.deepEqual(rows, [[expected]], expression);
  }
  const together = await runAll(database, `SELECT ${cases.map(([expression]) => expression).join(", ")}`);
  assert.deepEqual(together.rows, [cases.map(([, cell]) => cell)]);
}

async function onServer(version: PostgresVersion) {
  const server = await sharedPostgres(version);
  const admin = adminClient(server);
  await admin.unsafe(SCHEMA);
  await admin.end();

  Deno.test(`PostgreSQL ${version}: every type becomes the cell that keeps it exactly`, async () => {
    const database = await openPostgres(server);
    await check(database, CASES);
    if (version >= 14) await check(database, SINCE_14);
    await database.close();
  });

  Deno.test(`PostgreSQL ${version}: the settings of the user do not change how values are written`, async () => {
    const login = { user: "particular", password: ADMIN.password };
    const setup = adminClient(server);
    await setup.unsafe(`CREATE ROLE ${login.user} LOGIN SUPERUSER PASSWORD '${login.password}'`);
    const settings = ["extra_float_digits = 0", "bytea_output = 'escape'", "DateStyle = 'German, DMY'"]
      .concat("TimeZone = 'America/New_York'", "standard_conforming_strings = off");
    for (const setting of settings) await setup.unsafe(`ALTER ROLE ${login.user} SET ${setting}`);
    const database = await openPostgres(server, { login });
    await check(database, CASES);
    const { rows } = await runAll(database, "SELECT '01/02/2024'::date, 'a\\'");
    assert.deepEqual(rows, [["2024-02-01", "a\\"]], "the order of day and month is still the user's");
    await database.close();
    await setup.unsafe(`DROP ROLE ${login.user}`);
    await setup.end();
  });

  Deno.test(`PostgreSQL ${version}: columns keep their names by position, and say their types`, async () => {
    const database = await openPostgres(server);
    const { columns, rows } = await runAll(
      database,
      `SELECT 1 AS a, 2 AS a, 3, 'x'::varchar(3) AS "Ünï ""q""", '{}'::kinds.mood[], now(), ROW(1)::record`,
    );
    assert.deepEqual(columns.slice(0, 4), [
      { name: "a", type: "integer" },
      { name: "a", type: "integer" },
      { name: "?column?", type: "integer" },
      { name: 'Ünï "q"', type: "varchar" },
    ]);
    assert.deepEqual(columns.slice(4).map(({ type }) => type), ["kinds.mood[]", "timestamptz", "record"]);
    assert.deepEqual(rows[0]?.slice(0, 4), [1, 2, 3, "x"]);
    await database.close();
  });

  Deno.test(`PostgreSQL ${version}: the shop's strange values arrive as they were written`, async () => {
    const { strangeValues } = await import("../../../fixtures/shop/strange_values.ts");
    const database = await openPostgres(server);
    const { rows } = await runAll(database, 'SELECT * FROM "strange values" ORDER BY id');
    const table = strangeValues();
    const written = [...table.rows].map((row) =>
      row.map((cell, index) => expectedCell(cell, table.columns[index]?.type.kind ?? ""))
    );
    assert.deepEqual(rows, written);
    await database.close();
  });
}

/** A cell of the shop's description as this engine gives it. */
function expectedCell(cell: null | boolean | number | bigint | string | Uint8Array, kind: string): Cell {
  if (cell === null) return null;
  if (typeof cell === "bigint") return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (typeof cell !== "string") return cell;
  if (kind === "decimal") return decimal(cell);
  if (kind === "json") return json(cell);
  if (kind === "timestamp") return cell.replace(" ", "T");
  if (kind !== "timestamptz") return cell;
  const fraction = /\.\d+/.exec(cell)?.[0] ?? "";
  return new Date(cell).toISOString().replace(/\.\d+Z/, `${fraction}+00:00`);
}

for (const version of [12, 18] as const) await onServer(version);
