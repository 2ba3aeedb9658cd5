/**
 * What a run has cost, in one line.
 */
import type { RunUsage } from "../../agent/events.ts";
import { duration } from "../../term/count_and_time.ts";

/** `2 requests · 4,120 tokens in · 210 out · $0.0043 · 3.2 s`; what the provider did not tell is left out. */
export function usageLine(usage: RunUsage, ms: number): string {
  const { requests, inputTokens, outputTokens, costUsd } = usage;
  const parts = [
    `${count(requests)} ${requests === 1 ? "request" : "requests"}`,
    ...inputTokens === undefined ? [] : [`${count(inputTokens)} tokens in`],
    ...outputTokens === undefined ? [] : [`${count(outputTokens)} out`],
    ...costUsd === undefined ? [] : [dollars(costUsd)],
    duration(ms),
  ];
  return parts.join(" · ");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function dollars(cost: number): string {
  if (cost > 0 && cost < 0.0001) return "<$0.0001";
  return `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}
