/**
 * Adds the pieces of a Chat Completions stream up to an answer. Knows the habits of the servers that speak this API;
 * it neither sends nor reads anything.
 */
import type { Answer } from "../answer.ts";
import { ReasoningDetails } from "./carried.ts";
import { ChatCalls } from "./calls.ts";
import { type ChatChoice, ChatChunk, type ChatPart, type ChatUsage } from "./chunk.ts";
import type { AssistantMessage, StopReason, Usage } from "../provider.ts";
import type { Reader } from "../stream_answer.ts";

/** What servers say at the end, in lower case; any other word is an ordinary end. */
const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "contentFilter"],
  ["safety", "contentFilter"],
  ["error", "error"],
  ["insufficient_system_resource", "error"],
]);

export class ChatAnswer implements Reader {
  readonly #answer: Answer;
  readonly #calls: ChatCalls;
  started = false;
  #finish: string | undefined;
  #refused = false;
  #inThought = false;
  readonly #details = new ReasoningDetails();
  #usage: Usage | null = null;

  /** `usedIds` are the tool call ids of the conversation so far. */
  constructor(answer: Answer, usedIds: Iterable<string>) {
    this.#answer = answer;
    this.#calls = new ChatCalls(answer, usedIds);
  }

  get finished(): boolean {
    return this.#finish !== undefined;
  }

  take(piece: unknown): boolean {
    const { success, data: chunk } = ChatChunk.safeParse(piece);
    if (!success) return false;
    const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
    this.started ||= chunk.choices !== undefined;
    if (choice) this.#takeChoice(choice);
    const usage = chunk.usage ?? choice?.usage;
    if (usage) this.#usage = toUsage(usage);
    return true;
  }

  finish(): Pick<AssistantMessage, "usage" | "stopReason"> {
    this.#calls.end(this.#details.list);
    return { usage: this.#usage, stopReason: this.#stopReason() };
  }

  #takeChoice({ delta, finish_reason }: ChatChoice): void {
    this.#answer.write("thinking", delta?.reasoning_content || delta?.reasoning || "");
    this.#details.add(delta?.reasoning_details ?? []);
    const { content = "" } = delta ?? {};
    if (typeof content !== "string") this.#takeParts(content);
    else if (isThought(delta?.extra_content)) this.#takeThought(content);
    else this.#takeText(content);
    this.#answer.write("text", delta?.refusal ?? "");
    if (delta?.refusal) this.#refused = true;
    for (const call of delta?.tool_calls ?? []) this.#calls.take(call);
    if (finish_reason) this.#finish = finish_reason;
  }

  #takeParts(parts: readonly ChatPart[]): void {
    for (const { text = "", thinking = "" } of parts) {
      const thoughts = typeof thinking === "string" ? [thinking] : thinking.map(({ text = "" }) => text);
      this.#answer.write("thinking", thoughts.join(""));
      this.#answer.write("text", text);
    }
  }

  /** Gemini marks its thoughts, and puts them between tags besides. */
  #takeThought(content: string): void {
    this.#answer.write("thinking", this.#inThought ? content : content.replace(/^<thought>/, ""));
    this.#inThought = true;
  }

  #takeText(content: string): void {
    this.#answer.write("text", this.#inThought ? content.replace(/^<\/thought>/, "") : content);
    if (content !== "") this.#inThought = false;
  }

  #stopReason(): StopReason {
    const told = STOP_REASONS.get(this.#finish?.toLowerCase() ?? "");
    if (told !== undefined) return told;
    // Several servers end an answer that calls tools with "stop".
    if (this.#calls.count > 0) return "toolUse";
    return this.#refused ? "contentFilter" : "stop";
  }
}

function isThought(extra: { readonly [name: string]: unknown } | undefined): boolean {
  const google = extra?.google;
  return typeof google === "object" && google !== null && "thought" in google && google.thought === true;
}

function toUsage({ prompt_tokens, completion_tokens, prompt_tokens_details, ...more }: ChatUsage): Usage {
  const cached = prompt_tokens_details?.cached_tokens ?? more.prompt_cache_hit_tokens;
  const written = prompt_tokens_details?.cache_write_tokens;
  return {
    ...(prompt_tokens === undefined ? {} : { inputTokens: prompt_tokens }),
    ...(completion_tokens === undefined ? {} : { outputTokens: completion_tokens }),
    ...(cached === undefined ? {} : { cacheReadTokens: cached }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  };
}
