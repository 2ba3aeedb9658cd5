import assert from "node:assert/strict";
import { shown } from "../../src/base/shown.ts";

Deno.test("what was typed is repeated in quotes and bounded", () => {
  assert.equal(shown('a "b"'), '"a \\"b\\""');
  assert.equal(shown("C:\\data\\shop.db"), '"C:\\\\data\\\\shop.db"');
  assert.equal(shown("x".repeat(300)), `"${"x".repeat(200)}…"`);
});

Deno.test("what may hold a password is not", () => {
  for (
    const text of [
      "postgres://user:secret@host/db",
      "user:secret@host",
      "mysql://host/db?password=secret",
      "Password = secret",
      "host=x pwd=secret",
    ]
  ) assert.equal(shown(text), "the given value");
});
