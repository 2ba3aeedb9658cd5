import assert from "node:assert/strict";
import { unlikeness } from "../../src/base/likeness.ts";

Deno.test("a slip of the pen is alike, another word is not", () => {
  assert.equal(unlikeness("orders", "orders"), 0);
  const alike = [["order", "orders"], ["ordres", "orders"], ["customer", "customers_2024"], ["nme", "name"]];
  for (const [word = "", name = ""] of alike) {
    const score = unlikeness(word, name);
    assert.ok(score > 0 && score <= 1, `${word} and ${name}: ${score}`);
    assert.equal(unlikeness(name, word), score);
  }
  for (
    const [word = "", name = ""] of [["orders", "people"], ["a", "bcd"], ["", "id"], ["cat", "concatenate"]]
  ) {
    assert.ok(unlikeness(word, name) > 1, `${word} and ${name}`);
  }
});
