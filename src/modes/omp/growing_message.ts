/**
 * The assistant's message while it grows: the blocks so far, in the protocol's shape at any moment.
 * When its deltas are told is message_teller.ts's.
 */
import { argumentsJson } from "../session/arguments_json.ts";
import { RawJson, toJson } from "../../base/json.ts";
import type { Update } from "../session/delta_bundler.ts";
import type { AssistantMessage } from "./messages.ts";

type Draft =
  | { readonly type: "text" | "thinking"; text: string; isWhole: boolean }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; text: string; isWhole: boolean };

export class GrowingMessage {
  readonly #base: AssistantMessage;
  readonly #blocks: Draft[] = [];

  /** `base`: the message while it is still empty. */
  constructor(base: AssistantMessage) {
    this.#base = base;
  }

  take(update: Update): void {
    switch (update.type) {
      case "text_start":
        this.#blocks[update.contentIndex] = { type: "text", text: "", isWhole: false };
        break;
      case "thinking_start":
        this.#blocks[update.contentIndex] = { type: "thinking", text: "", isWhole: false };
        break;
      case "toolcall_start":
        this.#blocks[update.contentIndex] = {
          type: "toolCall",
          id: update.id,
          name: update.toolName,
          text: "",
          isWhole: false,
        };
        break;
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        this.#add(update.contentIndex, update.delta);
        break;
      case "text_end":
      case "thinking_end":
      case "toolcall_end":
        this.#close(update.contentIndex);
        break;
    }
  }

  /** As it stands now. */
  get message(): AssistantMessage {
    return { ...this.#base, content: this.#blocks.map(toContent) };
  }

  /** What is left when nothing more comes: a tool call that is not whole is dropped. */
  broken(about: Pick<AssistantMessage, "stopReason" | "errorMessage">): AssistantMessage {
    const kept = this.#blocks.filter(({ type, isWhole, text }) =>
      type === "toolCall" ? isWhole : text !== ""
    );
    return { ...this.#base, ...about, content: kept.map(toContent) };
  }

  #add(at: number, delta: string): void {
    const block = this.#blocks[at];
    if (block) block.text += delta;
  }

  #close(at: number): void {
    const block = this.#blocks[at];
    if (block) block.isWhole = true;
  }
}

function toContent(block: Draft): AssistantMessage["content"][number] {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.text };
    case "toolCall":
      return {
        type: "toolCall",
        id: block.id,
        name: block.name,
        arguments: new RawJson(toJson(argumentsJson(block.text))),
      };
  }
}
