import assert from "node:assert/strict";
import { usageLine } from "../../../src/modes/view/usage_line.ts";

Deno.test("usage is told as far as it is known", () => {
  const whole = { requests: 2, toolCalls: 1, inputTokens: 4120, outputTokens: 210, costUsd: 0.01234 };
  assert.equal(usageLine(whole, 3210), "2 requests · 4,120 tokens in · 210 out · $0.0123 · 3.2 s");
  assert.equal(usageLine({ requests: 1, toolCalls: 0 }, 900), "1 request · 900 ms");
  assert.equal(
    usageLine({ requests: 1, toolCalls: 0, costUsd: 0.00001 }, 61_000),
    "1 request · <$0.0001 · 1 min 1 s",
  );
  assert.equal(usageLine({ requests: 1, toolCalls: 0, costUsd: 0 }, 1), "1 request · $0.0000 · 1 ms");
});
