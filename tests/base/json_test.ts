import assert from "node:assert/strict";
import { isJson, plainToJson, quote, RawJson, toJson } from "../../src/base/json.ts";

Deno.test("numbers of any size keep their digits", () => {
  assert.equal(toJson({ a: 9007199254740993n, b: 1.5, c: -0 }), '{"a":9007199254740993,"b":1.5,"c":0}');
});

Deno.test("non-finite numbers become words, never tokens", () => {
  assert.equal(toJson([NaN, Infinity, -Infinity]), '["nan","inf","-inf"]');
});

Deno.test("text is always well-formed and on one line for every reader", () => {
  assert.equal(quote("a\ud800b"), '"a\ufffdb"');
  assert.equal(quote("\u2028\u2029\n"), '"\\u2028\\u2029\\n"');
  assert.equal(toJson({ "\u2028": 1 }), '{"\\u2028":1}');
});

Deno.test("lists of plain values are written as their pieces are", () => {
  const values = ["a\ud800\u2029", "\\ud800", "\\\\ud800\udfff", "😀", 1.5, null, true];
  assert.equal(plainToJson(values), `[${values.map(toJson).join(",")}]`);
  assert.equal(
    plainToJson(values),
    '["a\ufffd\\u2029","\\\\ud800","\\\\\\\\ud800\ufffd","😀",1.5,null,true]',
  );
});

Deno.test("what JSON.parse cannot read is no JSON", () => {
  assert.deepEqual(["[1]", "[1,]", "NaN", "", '"a"'].map(isJson), [true, false, false, false, true]);
});

Deno.test("every character is quoted as JSON does it", () => {
  for (let unit = 0; unit < 0x300; unit++) {
    const text = `a${String.fromCharCode(unit)}b`;
    assert.equal(quote(text), JSON.stringify(text));
    assert.equal(quote(String.fromCharCode(unit)), JSON.stringify(String.fromCharCode(unit)));
  }
});

Deno.test("prepared pieces are spliced and undefined members left out", () => {
  assert.equal(toJson({ a: new RawJson("[1,2]"), b: undefined, c: null }), '{"a":[1,2],"c":null}');
});

Deno.test("a member called __proto__ survives", () => {
  assert.equal(toJson(Object.fromEntries([["__proto__", 1]])), '{"__proto__":1}');
});
