/**
 * What the host is sent for cells: lines that its JSON reader takes, and that come back as they were.
 */
import assert from "node:assert/strict";
import { type Cell, Decimal, JsonText, Struct } from "../../../src/db/values.ts";
import { rowWriter } from "../../../src/modes/plugin/cells.ts";

function written(cell: Cell, type = ""): string {
  const write = rowWriter([{ name: "before", type: "" }, { name: "cell", type }], {
    blobBytes: 4,
    bitIsNumber: true,
  });
  const text = write([1, cell]);
  JSON.parse(text);
  return text.slice("[1,".length, -1);
}

Deno.test("numbers that a double would bend are text", () => {
  const cells: [Cell, string][] = [
    [0.1, "0.1"],
    [-0, "-0"],
    [NaN, '"NaN"'],
    [-Infinity, '"-Infinity"'],
    [9007199254740991n, "9007199254740991"],
    [9007199254740993n, '"9007199254740993"'],
    [new Decimal("1.50"), '"1.50"'],
    [[1n, -0, new Decimal("2.0"), [null]], '[1,-0,"2.0",[null]]'],
    [new Struct([["b", 1], ["a", NaN]]), '{"b":1,"a":"NaN"}'],
    [false, "false"],
    [null, "null"],
  ];
  for (const [cell, text] of cells) assert.equal(written(cell), text);
});

Deno.test("text is well-formed and splits no line", () => {
  assert.equal(written("\ud800 \\ud800 😀\u2028\n"), '"\ufffd \\\\ud800 😀\\u2028\\n"');
  assert.equal(written(["\udc00"]), '["\ufffd"]');
  assert.equal(written(new Struct([["\ud800", "x"]])), '{"\ufffd":"x"}');
});

Deno.test("a document that the host would change or could not read is text", () => {
  const kept = ['{"a":[1,"x",1.5,null]}', '["\\ud83d\\ude00"]', "1e3", "true"];
  const changed = [
    '"text"',
    "null",
    '["\\ud800"]',
    '{"\\udc00":1}',
    "[1e999]",
    "-0",
    '{"a":1,"\\u0061":2}',
    `${"[".repeat(101)}${"]".repeat(101)}`,
  ];
  for (const text of kept) assert.equal(written(new JsonText(text), "jsonb"), text);
  for (const text of changed) assert.equal(written(new JsonText(text), "jsonb"), JSON.stringify(text));
  assert.equal(written(new JsonText('{"a":1,"a b":2}'), "json"), '{"a":1,"a b":2}');
  assert.equal(written(new JsonText('{"b":1,"a":2}'), "json"), '"{\\"b\\":1,\\"a\\":2}"');
});

Deno.test("bits, times and bytes have the host's forms", () => {
  assert.equal(written("1", "bit"), "1");
  assert.equal(written("101", "bit"), '"101"');
  assert.equal(written("2024-02-29T12:00:00.5+00:00", "timestamptz"), '"2024-02-29 12:00:00.5+00"');
  assert.equal(written(Uint8Array.of(1, 2, 3, 4, 5), "blob"), '"BLOB:5:application/octet-stream:AQIDBA=="');
  assert.equal(written(new TextEncoder().encode("plain"), "varbinary"), '"plain"');
});
