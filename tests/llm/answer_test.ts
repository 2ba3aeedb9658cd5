import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { Answer } from "../../src/llm/answer.ts";

Deno.test("text and thinking take turns, calls stay open until the end", () => {
  const answer = new Answer();
  answer.write("thinking", "a");
  answer.write("text", "");
  answer.write("text", "b");
  const call = answer.beginCall("c1", "list_tables");
  answer.write("text", "c");
  answer.addArguments(call, "{}");
  const { content } = answer.finish({ model: "m", usage: null, stopReason: "toolUse" });
  assert.deepEqual(content.map(({ type }) => type), ["thinking", "text", "toolCall", "text"]);
  assert.deepEqual(answer.drain().map(({ type }) => type), [
    "thinking_start",
    "thinking_delta",
    "thinking_end",
    "text_start",
    "text_delta",
    "text_end",
    "toolcall_start",
    "text_start",
    "text_delta",
    "toolcall_delta",
    "text_end",
    "toolcall_end",
  ]);
  assert.deepEqual(answer.drain(), []);
});

Deno.test("an answer has an end", () => {
  const answer = new Answer();
  const piece = "x".repeat(1 << 20);
  assert.throws(() => {
    while (true) answer.write("text", piece);
  }, (error) => error instanceof Fault && /longer than 64 million characters/.test(error.message));
});
