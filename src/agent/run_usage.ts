/**
 * Adds up what a run has cost so far.
 */
import type { Price, Usage } from "../llm/provider.ts";
import type { RunUsage } from "./events.ts";
import { requestCost } from "./request_cost.ts";

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** One request: what the provider told of it, and what its model costs. */
export interface Spent {
  readonly usage: Usage | null;
  readonly price: Price | undefined;
}

/** The run with one more request; a sum of which a part is unknown is unknown. */
export function withRequest(run: RunUsage, { usage, price }: Spent): RunUsage {
  const sums: { -readonly [Count in keyof Usage]: Usage[Count] } = {};
  for (const count of COUNTS) {
    const before = run.requests === 0 ? 0 : run[count];
    const added = usage?.[count];
    if (before !== undefined && added !== undefined) sums[count] = before + added;
  }
  const { inputTokens } = usage ?? {};
  const costBefore = run.requests === 0 ? 0 : run.costUsd;
  const cost = requestCost(usage, price);
  return {
    ...sums,
    ...(inputTokens === undefined ? {} : { contextTokens: inputTokens }),
    ...(costBefore === undefined || cost === undefined ? {} : { costUsd: costBefore + cost }),
    requests: run.requests + 1,
    toolCalls: run.toolCalls,
  };
}
