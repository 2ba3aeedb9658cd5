import assert from "node:assert/strict";
import type { TranscriptMessage } from "../../src/agent/events.ts";
import { estimateTokens, fitHistory } from "../../src/agent/fit_history.ts";

/** A turn with one tool call whose result has so many characters. */
function turn(n: number, units: number): TranscriptMessage[] {
  const about = { model: "m", usage: null, timestamp: 1 } as const;
  const call = { type: "toolCall", id: `c${n}`, name: "execute_sql", argumentsText: "{}" } as const;
  return [
    { role: "user", content: `Question ${n}`, timestamp: 1 },
    { role: "assistant", content: [call], stopReason: "toolUse", ...about },
    {
      role: "toolResult",
      toolCallId: `c${n}`,
      toolName: "execute_sql",
      content: `${n} `.repeat(units / 2).slice(0, units),
      isError: false,
      timestamp: 1,
    },
    { role: "assistant", content: [{ type: "text", text: `Answer ${n}` }], stopReason: "stop", ...about },
  ];
}

/** Every result has its call before it, and the first message is a user's. */
function assertWhole(messages: readonly TranscriptMessage[]): void {
  assert.equal(messages[0]?.role, "user");
  const called = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") called.add(block.id);
    }
    if (message.role === "toolResult") assert.ok(called.has(message.toolCallId));
  }
}

const THREE = [...turn(1, 3000), ...turn(2, 3000), ...turn(3, 3000)];

Deno.test("what fits is left as it is", () => {
  const { messages, shortened, dropped } = fitHistory(THREE, { tokens: 10_000, newest: 8 });
  assert.deepEqual(messages, THREE);
  assert.deepEqual([shortened, dropped], [0, 0]);
});

Deno.test("old results shrink first, the oldest before the others, and no more than needed", () => {
  const { messages, shortened, dropped, tokens } = fitHistory(THREE, { tokens: 2600, newest: 8 });
  assert.deepEqual([shortened, dropped], [1, 0]);
  assert.ok(tokens <= 2600);
  const results = messages.filter((message) => message.role === "toolResult");
  assert.deepEqual(results.map(({ content }) => content.length > 2000), [false, true, true]);
  assert.match(results[0]?.content ?? "", /^1 1 .* … \[2700 more characters were left out to save room/);
  assert.equal(messages.length, THREE.length);
  assertWhole(messages);
});

Deno.test("then whole turns are left out, and the newest one stays as it is", () => {
  const { messages, shortened, dropped } = fitHistory(THREE, { tokens: 1250, newest: 8 });
  assert.deepEqual([shortened, dropped], [1, 4]);
  assert.deepEqual(messages.slice(-4), THREE.slice(-4));
  assertWhole(messages);
  const least = fitHistory(THREE, { tokens: 1100, newest: 8 });
  assert.deepEqual(least.messages, THREE.slice(-4));
});

Deno.test("the results of the newest turn shrink last, but for those that nobody has answered", () => {
  const current = [...turn(1, 3000).slice(0, 3), ...turn(2, 3000).slice(1, 3)];
  const { messages, shortened } = fitHistory(current, { tokens: 1300, newest: 0 });
  assert.equal(shortened, 1);
  assert.deepEqual(messages.at(-1), current.at(-1));
  assert.deepEqual(messages[0], current[0]);
  const tight = fitHistory(current, { tokens: 10, newest: 0 });
  assert.deepEqual(tight.messages.at(-1), current.at(-1));
  assert.ok(tight.tokens > 10);
});

Deno.test("the same conversation is always cut in the same way", () => {
  for (let tokens = 1100; tokens < 3200; tokens += 37) {
    const once = fitHistory(THREE, { tokens, newest: 8 });
    assert.deepEqual(fitHistory(structuredClone(THREE), { tokens, newest: 8 }), once);
    assertWhole(once.messages);
    assert.deepEqual(once.messages.slice(-4), THREE.slice(-4));
  }
});

Deno.test("the estimate is on the safe side for any script", () => {
  assert.equal(estimateTokens("東京🦕"), 4);
  assert.equal(estimateTokens('{"a":1}'), 3);
  assert.equal(estimateTokens(""), 0);
});
