/**
 * Tells a host of an assistant message while it grows. Every frame carries the whole message so far, so deltas are put
 * together: what is told in all stays linear in the length of the answer.
 */
import { type Json, RawJson, toJson } from "../../base/json.ts";
import { argumentsJson } from "../session/arguments_json.ts";
import { GrowingMessage, type Update } from "./growing_message.ts";
import type { AssistantMessage } from "./messages.ts";

type Delta = Extract<Update, { delta: string }>;

export type Emit = (type: string, fields: { readonly [key: string]: Json | undefined }) => Promise<void>;

/** Characters that are always enough for a frame of their own. */
const MIN_DELTA = 2048;
/** The share of the message that a delta waits to be. */
const SHARE = 1 / 16;
/** How long a delta waits, by the size of the message in characters. */
const WAITS: readonly { readonly below: number; readonly ms: number }[] = [
  { below: 16 << 10, ms: 40 },
  { below: 64 << 10, ms: 250 },
  { below: Infinity, ms: 1000 },
];

export class MessageTeller {
  readonly growing: GrowingMessage;
  readonly #emit: Emit;
  #waiting: Delta | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(base: AssistantMessage, emit: Emit) {
    this.growing = new GrowingMessage(base);
    this.#emit = emit;
  }

  async take(update: Update): Promise<void> {
    if (!("delta" in update)) {
      await this.flush();
      this.growing.take(update);
      return await this.#tell(inWords(update));
    }
    const { type, contentIndex } = update;
    if (this.#waiting && (this.#waiting.type !== type || this.#waiting.contentIndex !== contentIndex)) {
      await this.flush();
    }
    this.growing.take(update);
    const delta = (this.#waiting?.delta ?? "") + update.delta;
    this.#waiting = { type, contentIndex, delta };
    if (delta.length >= Math.max(MIN_DELTA, this.growing.size * SHARE)) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), waitFor(this.growing.size));
  }

  /** Tells what waits; to be called before anything else is told. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const delta = this.#waiting;
    this.#waiting = undefined;
    if (delta) await this.#tell({ ...delta });
  }

  async #tell(event: { readonly [key: string]: Json }): Promise<void> {
    const message = new RawJson(toJson(this.growing.message));
    await this.#emit("message_update", {
      message,
      assistantMessageEvent: { ...event, partial: message },
    });
  }
}

function waitFor(size: number): number {
  return WAITS.find(({ below }) => size < below)?.ms ?? 0;
}

/** The tool call's name and id are in the partial message. */
function inWords(update: Exclude<Update, Delta>): { readonly [key: string]: Json } {
  const { type, contentIndex } = update;
  if (update.type === "text_end" || update.type === "thinking_end") {
    return { type, contentIndex, content: update.content };
  }
  if (update.type !== "toolcall_end") return { type, contentIndex };
  const { id, name, argumentsText } = update.toolCall;
  return {
    type,
    contentIndex,
    toolCall: { type: "toolCall", id, name, arguments: argumentsJson(argumentsText) },
  };
}
