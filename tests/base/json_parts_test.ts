import assert from "node:assert/strict";
import { elementsOf, membersOf, textOf } from "../../src/base/json_parts.ts";

Deno.test("parts come as they are written, in their order", () => {
  assert.deepEqual(membersOf('{"2":9007199254740993,"1" : [1, {"a":"}"}] ,"a\\"b":"x\\\\","c":{}}'), [
    ["2", "9007199254740993"],
    ["1", '[1, {"a":"}"}]'],
    ['a"b', '"x\\\\"'],
    ["c", "{}"],
  ]);
  assert.deepEqual(elementsOf('[1.50,"a,b",[2,3],{"a":[]},null]'), [
    "1.50",
    '"a,b"',
    "[2,3]",
    '{"a":[]}',
    "null",
  ]);
  assert.deepEqual([membersOf("{}"), elementsOf("[]"), elementsOf(" [ ] "), elementsOf('[""]')], [
    [],
    [],
    [],
    ['""'],
  ]);
  assert.equal(textOf('"a\\u00e9\\n"'), "aé\n");
});

Deno.test("parts put together again are the same value", () => {
  const value = { "]": ['"', "\\", "{", { "": [[], {}, -0.5, null, true] }], "a:b": "1,2" };
  const again = membersOf(JSON.stringify(value)).map(([name, json]) => [name, JSON.parse(json)]);
  assert.deepEqual(Object.fromEntries(again), value);
});
