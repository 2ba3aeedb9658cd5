/**
 * Tells a host of an assistant message while it grows. Every frame carries the whole message so far, so deltas are put
 * together: what is told in all stays linear in the length of the answer.
 */
import { type Json, RawJson, toJson } from "../../base/json.ts";
import { argumentsJson } from "../session/arguments_json.ts";
import { type Delta, DeltaBundler, type Update } from "../session/delta_bundler.ts";
import { GrowingMessage } from "./growing_message.ts";
import type { AssistantMessage } from "./messages.ts";

export type Emit = (type: string, fields: { readonly [key: string]: Json | undefined }) => Promise<void>;

export class MessageTeller {
  readonly growing: GrowingMessage;
  readonly #emit: Emit;
  readonly #deltas: DeltaBundler = new DeltaBundler((delta) => this.#tell({ ...delta }));

  constructor(base: AssistantMessage, emit: Emit) {
    this.growing = new GrowingMessage(base);
    this.#emit = emit;
  }

  async take(update: Update): Promise<void> {
    if ("delta" in update) {
      await this.#deltas.turnTo(update); // before the message has it
      this.growing.take(update);
      return await this.#deltas.take(update);
    }
    await this.flush();
    this.growing.take(update);
    await this.#tell(inWords(update));
  }

  /** Tells what waits; to be called before anything else is told. */
  async flush(): Promise<void> {
    await this.#deltas.flush();
  }

  async #tell(event: { readonly [key: string]: Json }): Promise<void> {
    const message = new RawJson(toJson(this.growing.message));
    await this.#emit("message_update", {
      message,
      assistantMessageEvent: { ...event, partial: message },
    });
  }
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
