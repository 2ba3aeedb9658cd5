/**
 * Values as they stand in statements that a person's edit makes.
 */
import assert from "node:assert/strict";
import { VALUES as MYSQL } from "../../src/db/mysql/workbench/values.ts";
import { shortestFloat } from "../../src/db/short_float.ts";
import { VALUES as SQLITE } from "../../src/db/sqlite/workbench/values.ts";

Deno.test("a text that is also the name of an object's member stays a text", () => {
  for (const value of ["constructor", "toString", "__proto__"]) {
    const bytes = `_utf8mb4 X'${new TextEncoder().encode(value).toHex()}'`;
    assert.deepEqual(["INTEGER", "BIT(8)"].map((type) => MYSQL.literal(value, type)), [bytes, bytes]);
    const text = `'${value}'`;
    assert.deepEqual(["INTEGER", "BOOLEAN"].map((type) => SQLITE.literal(value, type)), [text, text]);
  }
});

Deno.test("words that stand for numbers", () => {
  assert.deepEqual(["true", "false"].map((value) => MYSQL.literal(value, "INT")), ["1", "0"]);
  assert.deepEqual(["true", "false"].map((value) => SQLITE.literal(value, "BOOLEAN")), ["1", "0"]);
  assert.equal(SQLITE.literal("-Infinity", "REAL"), "-9e999");
});

Deno.test("the shortest number that is the same 32-bit float", () => {
  const shortest = (value: number) => shortestFloat(Math.fround(value));
  for (const value of [0.1, 16777216, 3.4028235e38, 1e-45, 1.4e-40, -0.3, 0, Infinity]) {
    assert.equal(Math.fround(shortest(value)), Math.fround(value));
  }
  assert.deepEqual([0.1, 1e-45, 1.1754944e-38].map(shortest), [0.1, 1e-45, 1.1754944e-38]);
});
