import assert from "node:assert/strict";
import { requestCost } from "../../src/agent/request_cost.ts";
import { withRequest } from "../../src/agent/run_usage.ts";

const PRICE = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 2.5 };

Deno.test("a request costs what its parts cost", () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cacheReadTokens: 400_000,
    cacheWriteTokens: 100_000,
  };
  assert.equal(requestCost(usage, PRICE), 0.5 * 2 + 0.4 * 0.5 + 0.1 * 2.5 + 0.1 * 10);
  assert.equal(requestCost({ inputTokens: 0, outputTokens: 0 }, PRICE), 0);
  assert.equal(requestCost({ inputTokens: 5, outputTokens: 5 }, { input: 0, output: 0 }), 0);
});

const UNKNOWN: { readonly [why: string]: Parameters<typeof requestCost> } = {
  "no price": [{ inputTokens: 1, outputTokens: 1 }, undefined],
  "no counts": [null, PRICE],
  "a missing count": [{ inputTokens: 1 }, PRICE],
  "cached input without a price": [
    { inputTokens: 9, outputTokens: 1, cacheReadTokens: 5 },
    { input: 1, output: 1 },
  ],
  "more input than the price is for": [
    { inputTokens: 300_000, outputTokens: 1 },
    { ...PRICE, upToInputTokens: 200_000 },
  ],
  "counts that contradict each other": [{ inputTokens: 1, outputTokens: 1, cacheReadTokens: 5 }, PRICE],
};

for (const [why, parameters] of Object.entries(UNKNOWN)) {
  Deno.test(`what is unknown is not zero: ${why}`, () => {
    assert.equal(requestCost(...parameters), undefined);
  });
}

Deno.test("a run costs the sum of its requests, and one unknown request makes it unknown", () => {
  const none = { requests: 0, toolCalls: 0 };
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  const once = withRequest(none, { usage, price: PRICE });
  assert.equal(once.costUsd, 2);
  const twice = withRequest(once, { usage, price: PRICE });
  assert.deepEqual([twice.costUsd, twice.requests, twice.contextTokens], [4, 2, 1_000_000]);
  const unknown = withRequest(twice, { usage: null, price: PRICE });
  assert.ok(!("costUsd" in unknown));
  assert.ok(!("costUsd" in withRequest(unknown, { usage, price: PRICE })));
});
