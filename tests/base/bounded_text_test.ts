import assert from "node:assert/strict";
import { BoundedText } from "../../src/base/bounded_text.ts";

Deno.test("bytes are counted as UTF-8, and what does not fit is left out whole", () => {
  const text = new BoundedText(6);
  assert.ok(text.add("aé"));
  assert.equal(text.bytes, 3);
  assert.ok(!text.add("éé"));
  assert.ok(text.add("€"));
  assert.ok(!text.add("a"));
  assert.equal(String(text), "aé€");
  assert.equal(text.bytes, 6);
});
