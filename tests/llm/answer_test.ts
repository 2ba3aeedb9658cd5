import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { Answer } from "../../src/llm/answer.ts";
import { AnthropicAnswer } from "../../src/llm/anthropic/answer.ts";
import { ChatCalls } from "../../src/llm/chat/calls.ts";

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

const MEBI = "x".repeat(1 << 20);

const GROWING: { readonly [what: string]: (answer: Answer) => () => void } = {
  text: (answer) => () => answer.write("text", MEBI),
  "characters that JSON writes longer": (answer) => () => answer.write("thinking", "\u0001".repeat(1 << 18)),
  calls: (answer) => () => answer.beginCall("", ""),
  "names of calls": (answer) => () => answer.beginCall("c", MEBI),
  blocks: (answer) => () => {
    answer.write("text", "x");
    answer.write("thinking", "x");
  },
  signatures: (answer) => () => answer.signThinking(MEBI),
  "calls that are never named": (answer) => {
    const calls = new ChatCalls(answer, []);
    return () => calls.take({ index: 1, function: { arguments: MEBI } });
  },
  "calls with nothing in them": (answer) => {
    const calls = new ChatCalls(answer, []);
    let index = 0;
    return () => calls.take({ index: index++ });
  },
  "a signature in pieces": (answer) => {
    const reader = new AnthropicAnswer(answer, {
      id: "a:m",
      baseUrl: "http://x",
      thinking: {},
      silenceMs: 1,
    });
    return () => void reader.take({ type: "content_block_delta", index: 0, delta: { signature: MEBI } });
  },
};

for (const [what, growing] of Object.entries(GROWING)) {
  Deno.test(`an answer has an end, whatever it grows by: ${what}`, () => {
    const grow = growing(new Answer());
    assert.throws(() => {
      for (let n = 0; n < 1_000_000; n++) grow();
    }, (error) => error instanceof Fault && /longer than 64 million characters/.test(error.message));
  });
}
