/**
 * Adds up what a run has cost so far.
 */
import type { Usage } from "../llm/provider.ts";
import type { RunUsage } from "./events.ts";

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** The run with one more request; a sum of which a part is unknown is unknown. */
export function withRequest(run: RunUsage, usage: Usage | null): RunUsage {
  const sums: { -readonly [Count in keyof Usage]: Usage[Count] } = {};
  for (const count of COUNTS) {
    const before = run.requests === 0 ? 0 : run[count];
    const added = usage?.[count];
    if (before !== undefined && added !== undefined) sums[count] = before + added;
  }
  const { inputTokens } = usage ?? {};
  return {
    ...sums,
    ...(inputTokens === undefined ? {} : { contextTokens: inputTokens }),
    requests: run.requests + 1,
    toolCalls: run.toolCalls,
  };
}
