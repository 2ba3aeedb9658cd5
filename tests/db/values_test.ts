import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import {
  type Cell,
  cellToJson,
  Decimal,
  DIGITS,
  JsonText,
  rowWriter,
  Struct,
  TEXT_NUMBERS,
} from "../../src/db/values.ts";
import { uniqueNames } from "../../src/db/values.ts";

const BIG = 9007199254740993n;

/** Cell, its JSON with every digit, its JSON for clients that read doubles. */
const TABLE: [Cell, string, string][] = [
  [null, "null", "null"],
  [true, "true", "true"],
  [42, "42", "42"],
  [-0, "-0", "-0"],
  [0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"],
  [1e300, "1e+300", "1e+300"],
  [7n, "7", "7"],
  [BIG, "9007199254740993", '"9007199254740993"'],
  [-BIG, "-9007199254740993", '"-9007199254740993"'],
  [new Decimal("120340.50"), "120340.50", '"120340.50"'],
  ["a\u2028\ud800", '"a\\u2028\ufffd"', '"a\\u2028\ufffd"'],
  [Uint8Array.of(0, 255), '"AP8="', '"AP8="'],
  [[1, [BIG, null]], "[1,[9007199254740993,null]]", '[1,["9007199254740993",null]]'],
  [new Struct([["a", 1], ["__proto__", "x"]]), '{"a":1,"__proto__":"x"}', '{"a":1,"__proto__":"x"}'],
  [
    new JsonText('{"a":\n 12345678901234567890, "b": "1e400 \\" 99999999999999999999"}'),
    '{"a":  12345678901234567890, "b": "1e400 \\" 99999999999999999999"}',
    '{"a":  "12345678901234567890", "b": "1e400 \\" 99999999999999999999"}',
  ],
  [
    new JsonText("[0.1234567890123456789,1.5e3]"),
    "[0.1234567890123456789,1.5e3]",
    '["0.1234567890123456789",1.5e3]',
  ],
];

Deno.test("every kind of cell has one JSON form per style", () => {
  for (const [cell, digits, text] of TABLE) {
    assert.equal(cellToJson(cell, DIGITS), digits);
    assert.equal(cellToJson(cell, TEXT_NUMBERS), text);
    JSON.parse(digits);
  }
});

Deno.test("non-finite numbers are words, or refused with the column's name", () => {
  assert.equal(cellToJson([NaN, Infinity, -Infinity], DIGITS), '["nan","inf","-inf"]');
  const write = rowWriter([{ name: "a" }, { name: "ratio" }], TEXT_NUMBERS);
  assert.throws(() => write([1, NaN]), (error) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.code, "unsupported_value");
    assert.match(error.message, /column "ratio"/);
    return true;
  });
});

Deno.test("column names become unique without taking one that is there", () => {
  const names = (...list: string[]) => uniqueNames(list.map((name) => ({ name })));
  assert.deepEqual(names("a", "a", "a"), ["a", "a_2", "a_3"]);
  assert.deepEqual(names("a", "a_2", "a"), ["a", "a_2", "a_3"]);
  assert.deepEqual(names("a", "a", "a_2"), ["a", "a_3", "a_2"]);
  assert.deepEqual(names("", "column_1", ""), ["column_1_2", "column_1", "column_3"]);
});

Deno.test("a row is its cells, whether JSON alone holds them or not", () => {
  const cells = TABLE.map(([cell]) => cell);
  const rows = [...cells.map((cell) => [1, cell, "x"]), ...cells.map((cell) => [cell, 7n, null])];
  for (const style of [DIGITS, TEXT_NUMBERS]) {
    for (const names of [["a", "b", "c"], ["a", "1", "__proto__"], ["toJSON", "constructor", '"\u2028']]) {
      const write = rowWriter(names.map((name) => ({ name })), style);
      const one = (row: readonly Cell[]) =>
        `{${names.map((name, at) => `${cellToJson(name, style)}:${cellToJson(row[at] ?? null, style)}`)}}`;
      for (const row of rows) {
        assert.equal(write(row), one(row));
        assert.equal(rowWriter(names.map((name) => ({ name })), style)(row), one(row));
      }
    }
  }
});

Deno.test("rows keep the order of their columns, also of names like numbers and __proto__", () => {
  const write = rowWriter([{ name: "b" }, { name: "1" }, { name: "__proto__" }, { name: "b" }], DIGITS);
  assert.equal(write([1, 2, 3, 4]), '{"b":1,"1":2,"__proto__":3,"b_2":4}');
});
