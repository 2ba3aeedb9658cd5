import assert from "node:assert/strict";
import { ExactNumber, parseExact } from "../../src/client/exact_json.ts";

Deno.test("numbers that a double holds are numbers, others keep their digits", () => {
  const text = "[0,-0,1.5,1e+21,9007199254740991,9007199254740993,-12345678901234567890,120340.50,1E2,0.1]";
  assert.deepEqual(parseExact(text), [
    ...[0, -0, 1.5, 1e21, 9007199254740991, 9007199254740993n, -12345678901234567890n],
    ...[new ExactNumber("120340.50"), new ExactNumber("1E2"), 0.1],
  ]);
  assert.equal(`${new ExactNumber("120340.50")}`, "120340.50");
  assert.equal(JSON.stringify([new ExactNumber("120340.50")]), '["120340.50"]');
});

Deno.test("what stands in strings is no number", () => {
  const values: unknown[] = [
    "9007199254740993",
    '"9007199254740993',
    '\\"9007199254740993\\',
    { 'a"9007199254740993': ["\\"] },
    "\u00019007199254740993",
    "\u0001\u00019007199254740993",
    "",
    null,
    true,
  ];
  for (const value of [...values, values]) assert.deepEqual(parseExact(JSON.stringify(value)), value);
  assert.deepEqual(parseExact('{"a":"\\u0001","b":9007199254740993}'), { a: "\u0001", b: 9007199254740993n });
  for (const broken of ["", '{"a":', '"abc', "[1,]", "12.", "nope"]) {
    assert.throws(() => parseExact(broken), SyntaxError);
  }
});

Deno.test("what is nested deeper than a stack is read", () => {
  const depth = 100_000;
  let value = parseExact(`${"[".repeat(depth)}9007199254740993${"]".repeat(depth)}`);
  for (let level = 0; level < depth; level++) {
    assert.ok(Array.isArray(value));
    [value] = value;
  }
  assert.equal(value, 9007199254740993n);
});
