/**
 * The messages of the next request: the whole conversation, or as much of it as the model's context holds.
 */
import { Fault } from "../base/fault.ts";
import type { ToolSpec } from "../llm/provider.ts";
import type { TranscriptMessage } from "./events.ts";
import { estimateTokens, fitHistory, type Fitted, toolTokens } from "./fit_history.ts";
import type { Asking, Run } from "./run.ts";

/** The share of the context that is kept free for the answer. */
const ANSWER_SHARE = 1 / 4;

/** Throws Fault `model_error` when not even the newest turn fits. What was left out is told once, and when it gets more. */
export function requestMessages(
  run: Run,
  { model, system, tools }: Pick<Asking, "model" | "system"> & { readonly tools: readonly ToolSpec[] },
): readonly TranscriptMessage[] {
  const messages = [...run.history, ...run.messages];
  const { contextTokens } = model;
  if (contextTokens === undefined) return messages;
  const fixed = estimateTokens(system) + toolTokens(tools);
  const fitted = fitHistory(messages, {
    tokens: Math.floor(contextTokens * (1 - ANSWER_SHARE)) - fixed,
    newest: newestTurn(run),
  });
  if (fitted.tokens + fixed > contextTokens) {
    throw new Fault(
      "model_error",
      `Cannot ask ${model.id}: the question and what it needs take about ${fitted.tokens + fixed} tokens, ` +
        `its context holds ${contextTokens}. Ask for less at once, or choose a model with a larger context.`,
    );
  }
  tell(run, { fitted, contextTokens });
  return fitted.messages;
}

/** A run without a question of its own goes on with the last one. */
function newestTurn({ history, prompt }: Run): number {
  if (prompt.length > 0) return history.length;
  return Math.max(0, history.findLastIndex(({ role }) => role === "user"));
}

function tell(
  run: Run,
  { fitted, contextTokens }: { readonly fitted: Fitted; readonly contextTokens: number },
): void {
  const { shortened, dropped } = fitted;
  if (dropped + shortened <= run.leftOut) return;
  run.leftOut = dropped + shortened;
  run.warn(
    `the conversation no longer fits the model's context of ${contextTokens} tokens: ` +
      `${count(shortened, "old result")} shortened, ${count(dropped, "old message")} left out.`,
  );
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
