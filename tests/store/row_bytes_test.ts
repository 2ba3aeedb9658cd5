import assert from "node:assert/strict";
import { type Cell, Decimal, DIGITS, JsonText, rowWriter, Struct } from "../../src/db/values.ts";
import { RowBytes } from "../../src/store/row_bytes.ts";

const CELLS: readonly Cell[] = [
  ...[
    null,
    true,
    false,
    9007199254740993n,
    new Decimal("120340.50"),
    new JsonText('{"n": 1}'),
    new Uint8Array([0, 255]),
  ],
  ...[0, -0, 7, -7, 9, 10, 99, 100, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53, 1e21],
  ...[0.1, -1.5, 1e-7, NaN, Infinity, -Infinity],
  ...["", "plain", " ~", 'a"b', "a\\b", "a\nb", "\x7f", "\x00", "ü", "日本", "🙂", "\ud800", "\u2028"],
  ..."x\u00fc".repeat(40).split("").map((_, length) => "x".repeat(length)),
  ...["x".repeat(64), "x".repeat(65), `${"x".repeat(63)}ü`, "ü".repeat(64), "🙂".repeat(70)],
  [1, "two", [null]],
  new Struct([["a", 1], ['b"', "ü"]]),
];

Deno.test("stored bytes are those of the rows' JSON text, whatever the cells are", () => {
  const columns = CELLS.map((_, index) => ({ name: index % 3 === 0 ? `ü "${index}"` : `c${index}` }));
  const text = rowWriter(columns, DIGITS);
  const bytes = new RowBytes(columns.map(({ name }) => name));
  for (const row of [CELLS, CELLS.toReversed(), CELLS.map(() => null)]) {
    assert.equal(new TextDecoder().decode(bytes.write(row)), `${text(row)}\n`);
  }
});

Deno.test("a row may have more bytes than the rows before", () => {
  const bytes = new RowBytes(["a", "b"]);
  for (const length of [10, 70_000, 1_000_000, 3]) {
    const [a, b] = ["x".repeat(length), "ü".repeat(length)];
    assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes.write([a, b]))), { a, b });
  }
  const many = new RowBytes(Array.from({ length: 20_000 }, (_, index) => `c${index}`));
  const row = Array.from({ length: 20_000 }, (_, index) => index);
  assert.deepEqual(Object.values(JSON.parse(new TextDecoder().decode(many.write(row)))), row);
});

Deno.test("a result without columns has rows that are empty objects", () => {
  assert.equal(new TextDecoder().decode(new RowBytes([]).write([])), "{}\n");
});
