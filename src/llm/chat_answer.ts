/**
 * Adds the pieces of a Chat Completions stream up to an answer. Knows the habits of the servers that speak this API;
 * it neither sends nor reads anything.
 */
import type { Answer } from "./answer.ts";
import { ChatCalls } from "./chat_calls.ts";
import type { ChatChoice, ChatChunk, ChatUsage } from "./chat_chunk.ts";
import type { AssistantMessage, StopReason, Usage } from "./provider.ts";

/** What servers say at the end, in lower case; any other word is an ordinary end. */
const STOP_REASONS: { readonly [reason: string]: StopReason } = {
  length: "length",
  max_tokens: "length",
  content_filter: "contentFilter",
  safety: "contentFilter",
  error: "error",
  insufficient_system_resource: "error",
};

export class ChatAnswer {
  readonly #answer: Answer;
  readonly #calls: ChatCalls;
  #started = false;
  #finish: string | undefined;
  #refused = false;
  #usage: Usage | null = null;

  /** `usedIds` are the tool call ids of the conversation so far. */
  constructor(answer: Answer, usedIds: Iterable<string>) {
    this.#answer = answer;
    this.#calls = new ChatCalls(answer, usedIds);
  }

  /** A piece of an answer came, if only an empty one. */
  get started(): boolean {
    return this.#started;
  }

  /** The server said that the answer is complete; only counts may follow. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  take(chunk: ChatChunk): void {
    const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
    this.#started ||= chunk.choices !== undefined;
    if (choice) this.#takeChoice(choice);
    const usage = chunk.usage ?? choice?.usage;
    if (usage) this.#usage = toUsage(usage);
  }

  finish(model: string): AssistantMessage {
    this.#calls.end();
    return this.#answer.finish({ model, usage: this.#usage, stopReason: this.#stopReason() });
  }

  #takeChoice({ delta, finish_reason }: ChatChoice): void {
    this.#answer.write("thinking", delta?.reasoning_content || delta?.reasoning || "");
    this.#answer.write("text", delta?.content ?? "");
    this.#answer.write("text", delta?.refusal ?? "");
    if (delta?.refusal) this.#refused = true;
    for (const call of delta?.tool_calls ?? []) this.#calls.take(call);
    if (finish_reason) this.#finish = finish_reason;
  }

  #stopReason(): StopReason {
    const told = STOP_REASONS[this.#finish?.toLowerCase() ?? ""];
    if (told !== undefined) return told;
    // Several servers end an answer that calls tools with "stop".
    if (this.#calls.count > 0) return "toolUse";
    return this.#refused ? "contentFilter" : "stop";
  }
}

function toUsage({ prompt_tokens, completion_tokens, prompt_tokens_details }: ChatUsage): Usage {
  const cached = prompt_tokens_details?.cached_tokens;
  return {
    ...(prompt_tokens === undefined ? {} : { inputTokens: prompt_tokens }),
    ...(completion_tokens === undefined ? {} : { outputTokens: completion_tokens }),
    ...(cached === undefined ? {} : { cacheReadTokens: cached }),
  };
}
