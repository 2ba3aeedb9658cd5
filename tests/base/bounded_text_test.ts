import assert from "node:assert/strict";
import { BoundedText } from "../../src/base/bounded_text.ts";

Deno.test("bytes are counted as UTF-8, and what does not fit is left out whole", () => {
  const text = new BoundedText(6);
  assert.ok(text.add("aé"));
  assert.ok(!text.add("éé"));
  assert.ok(text.add("€"));
  assert.ok(!text.add("a"));
  assert.ok(text.add(""));
  assert.equal(String(text), "aé€");
});

Deno.test("whatever the pieces are, one fits exactly when its bytes do", () => {
  const pieces = ["a", "é", "€", "😀", "", "abc", "éa€", "x".repeat(50)];
  for (let maxBytes = 0; maxBytes < 200; maxBytes++) {
    const text = new BoundedText(maxBytes);
    let expected = "";
    for (let i = 0; i < 100; i++) {
      const piece = pieces[(i * i + maxBytes) % pieces.length] ?? "";
      const fits = new TextEncoder().encode(expected + piece).length <= maxBytes;
      assert.equal(text.add(piece), fits);
      if (fits) expected += piece;
    }
    assert.equal(String(text), expected);
  }
});
