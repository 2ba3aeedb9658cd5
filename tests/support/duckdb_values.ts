/**
 * Values of each of DuckDB's types, and the Cell that each must be.
 */
import { type Cell, Decimal, JsonText, Struct } from "../../src/db/values.ts";

const CELLS: { readonly [sql: string]: Cell } = {
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

export const DUCKDB_VALUES: readonly { readonly sql: string; readonly cell: Cell }[] = Object.entries(CELLS)
  .map((
    [sql, cell],
  ) => ({ sql, cell }));
