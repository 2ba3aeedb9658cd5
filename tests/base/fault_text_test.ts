import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { fullText } from "../../src/base/fault_text.ts";

Deno.test("a fault without a server's words is its sentence", () => {
  assert.equal(fullText(new Fault("busy", "Cannot do it.")), "Cannot do it.");
});

Deno.test("a server's words follow on one line, and are bounded", () => {
  const server = { message: 'no such\ncolumn "\u001b[4mx"', detail: "", hint: "Did you mean y?" };
  assert.equal(
    fullText(new Fault("unknown_column", "Cannot run it.", { server })),
    'Cannot run it. The server says: no such column " [4mx" Did you mean y?',
  );
  const long = fullText(new Fault("database_error", "Cannot.", { server: { message: "x".repeat(10_000) } }));
  assert.equal(long, `Cannot. The server says: ${"x".repeat(2000)} …`);
});
