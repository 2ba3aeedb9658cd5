/**
 * How much of the model's context a conversation takes: what the model's server last counted, and an estimate of what came
 * after it.
 */
import type { Session } from "../../agent/session.ts";
import { toJson } from "../../base/json.ts";
import type { OmpMessage } from "./messages.ts";

/** What is not known of a model is told as this. */
const USUAL_WINDOW = 128_000;
const CHARACTERS_PER_TOKEN = 4;

export function contextWindow({ model }: Session): number {
  return model.contextTokens ?? USUAL_WINDOW;
}

/** In tokens. */
export function tokensOf(messages: readonly OmpMessage[]): number {
  const at = messages.findLastIndex((message) =>
    message.role === "assistant" && message.usage.totalTokens > 0
  );
  const counted = messages[at];
  const isCurrent = counted?.role === "assistant" &&
    !messages.slice(at).some(({ role }) => role === "compactionSummary");
  const known = isCurrent ? counted.usage.totalTokens : 0;
  const rest = isCurrent ? messages.slice(at + 1) : messages;
  return known + rest.reduce((sum, message) => sum + estimate(message), 0);
}

export function estimate(message: OmpMessage): number {
  const text = message.role === "compactionSummary" ? message.summary : toJson({ ...message });
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function contextUsage(session: Session, messages: readonly OmpMessage[]) {
  const tokens = tokensOf(messages);
  const window = contextWindow(session);
  return { tokens, contextWindow: window, percent: Math.round(tokens / window * 10_000) / 100 };
}
