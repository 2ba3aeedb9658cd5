/**
 * What one request has cost, as far as the provider's counts and the known price tell.
 */
import type { Price, Usage } from "../llm/provider.ts";

/** US dollars; undefined when a count or a price that matters is not known. */
export function requestCost(usage: Usage | null, price: Price | undefined): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  if (inputTokens > (price.upToInputTokens ?? Infinity)) return undefined;
  const parts: readonly (readonly [tokens: number, dollars: number | undefined])[] = [
    [inputTokens - cacheReadTokens - cacheWriteTokens, price.input],
    [cacheReadTokens, price.cacheRead],
    [cacheWriteTokens, price.cacheWrite],
    [outputTokens, price.output],
  ];
  let sum = 0;
  for (const [tokens, dollars] of parts) {
    if (tokens === 0) continue;
    if (dollars === undefined || tokens < 0) return undefined;
    sum += tokens * dollars;
  }
  return sum / 1_000_000;
}
