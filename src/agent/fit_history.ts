/**
 * A conversation made to fit the context of its model: old tool results shrink first, then the oldest turns are left out. The
 * newest turn and the system prompt stay whole, unless they alone are too large; then the older results of the turn shrink too.
 * The same conversation and the same room always give the same messages.
 */
import { byteLength } from "../base/utf8.ts";
import type { ToolSpec } from "../llm/provider.ts";
import type { TranscriptMessage } from "./events.ts";

export interface Room {
  /** What the messages may take, in tokens. */
  readonly tokens: number;
  /** Where the newest turn begins in the messages. */
  readonly newest: number;
}

export interface Fitted {
  readonly messages: readonly TranscriptMessage[];
  /** Tool results that were shortened, and messages that were left out. */
  readonly shortened: number;
  readonly dropped: number;
  /** What the messages take, in tokens, as estimated here. */
  readonly tokens: number;
}

/** A shortened result keeps its beginning; what is not much longer is left as it is. */
const KEPT_UNITS = 300;
const LEAST_UNITS = 600;
/** Roles, ids and the marks between messages. */
const MESSAGE_TOKENS = 12;

/** Three bytes a token is on the safe side of what tokenizers make of JSON, of SQL and of any language. */
export function estimateTokens(text: string): number {
  return Math.ceil(byteLength(text) / 3);
}

export function toolTokens(tools: readonly ToolSpec[]): number {
  return tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0);
}

export function fitHistory(messages: readonly TranscriptMessage[], room: Room): Fitted {
  const fitting = new Fitting(messages, room);
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  fitting.shrink({ from: 0, to: room.newest });
  fitting.drop();
  fitting.shrink({ from: room.newest, to: lastAnswer });
  return fitting.result;
}

class Fitting {
  readonly #messages: TranscriptMessage[];
  readonly #sizes: number[];
  readonly #room: Room;
  readonly #short = new Set<number>();
  #start = 0;

  constructor(messages: readonly TranscriptMessage[], room: Room) {
    this.#messages = [...messages];
    this.#sizes = messages.map(tokensOf);
    this.#room = room;
  }

  get result(): Fitted {
    return {
      messages: this.#messages.slice(this.#start),
      shortened: [...this.#short].filter((at) => at >= this.#start).length,
      dropped: this.#start,
      tokens: this.#tokens,
    };
  }

  get #tokens(): number {
    return this.#sizes.slice(this.#start).reduce((sum, size) => sum + size, 0);
  }

  /** Oldest first, as many as it takes. */
  shrink({ from, to }: { readonly from: number; readonly to: number }): void {
    let excess = this.#tokens - this.#room.tokens;
    for (let at = Math.max(from, this.#start); at < to && excess > 0; at++) {
      const [message, before] = [this.#messages[at], this.#sizes[at]];
      if (message?.role !== "toolResult" || before === undefined || message.content.length < LEAST_UNITS) {
        continue;
      }
      const short = { ...message, content: shortened(message.content) };
      const after = tokensOf(short);
      this.#messages[at] = short;
      this.#sizes[at] = after;
      this.#short.add(at);
      excess -= before - after;
    }
  }

  /** Leaves out the oldest turns; what is left begins with a user's message, so that no result is without its call. */
  drop(): void {
    while (this.#start < this.#room.newest && this.#tokens > this.#room.tokens) {
      const next = this.#messages.findIndex(({ role }, at) => at > this.#start && role === "user");
      this.#start = next < 0 ? this.#room.newest : Math.min(next, this.#room.newest);
    }
  }
}

function tokensOf(message: TranscriptMessage): number {
  if (message.role !== "assistant") return MESSAGE_TOKENS + estimateTokens(message.content);
  return message.content.reduce((sum, block) => {
    const text = block.type === "text"
      ? block.text
      : block.type === "thinking"
      ? block.thinking + (block.signature ?? "")
      : block.name + block.argumentsText + (block.signature ?? "");
    return sum + MESSAGE_TOKENS + estimateTokens(text);
  }, 0);
}

function shortened(content: string): string {
  const kept = content.slice(0, KEPT_UNITS).toWellFormed();
  return `${kept} … [${
    content.length - KEPT_UNITS
  } more characters were left out to save room; ask again if you need them]`;
}
