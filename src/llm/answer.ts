/**
 * A model's answer while it grows: pieces in, events and the finished message out.
 * Adapters say what a piece is; this file keeps the blocks, their indexes and their ends.
 */
import { Fault } from "../base/fault.ts";
import { quote } from "../base/json.ts";
import type { AssistantMessage, ContentBlock, ModelEvent, ToolCall } from "./provider.ts";

/** The longest answer, in UTF-16 units of JSON: all that is kept of it, shown or not. */
const MAX_UNITS = 64 << 20;
/** What a block takes besides what is in it. */
const BLOCK_UNITS = 100;
/** Around a piece, not around the whole. */
const QUOTES = 2;

type Draft =
  & { text: string; signature?: string }
  & ({ readonly type: "text" | "thinking" } | {
    readonly type: "toolCall";
    readonly id: string;
    readonly name: string;
  });

export class Answer {
  readonly #blocks: Draft[] = [];
  #events: ModelEvent[] = [];
  #units = 0;
  /** The text or thinking that is being written; tool calls stay open until the end. */
  #open: number | undefined;

  /** The events since the last call. */
  drain(): ModelEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Goes on with the open block when it is of the same type, else begins one. An empty piece does nothing. */
  write(type: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    this.#add(this.#opened(type), { type: `${type}_delta`, delta });
  }

  /** Ends the open thinking with what the provider wants back with it; without open thinking, that of an empty block. */
  signThinking(signature: string): void {
    this.claim(signature.length);
    const block = this.#blocks[this.#opened("thinking")];
    if (block) block.signature = signature;
    this.#closeOpen();
  }

  signCall(contentIndex: number, signature: string): void {
    this.claim(signature.length);
    const block = this.#blocks[contentIndex];
    if (block) block.signature = signature;
  }

  /** Counts what is kept for this answer. Throws Fault `model_error` when it is too much. */
  claim(units: number): void {
    this.#units += units;
    if (this.#units <= MAX_UNITS) return;
    throw new Fault(
      "model_error",
      `Cannot take the model's answer: it is longer than ${
        MAX_UNITS >> 20
      } million characters. Ask for less at once.`,
    );
  }

  /** Begins a tool call and returns its content index. */
  beginCall(id: string, name: string): number {
    this.#closeOpen();
    this.claim(BLOCK_UNITS + id.length + name.length);
    const contentIndex = this.#blocks.push({ type: "toolCall", id, name, text: "" }) - 1;
    this.#events.push({ type: "toolcall_start", contentIndex, id, toolName: name });
    return contentIndex;
  }

  /** Adds to the arguments of the call at this content index. */
  addArguments(contentIndex: number, delta: string): void {
    if (delta !== "") this.#add(contentIndex, { type: "toolcall_delta", delta });
  }

  /** Ends all blocks and gives the message. */
  finish(about: Pick<AssistantMessage, "model" | "usage" | "stopReason">): AssistantMessage {
    this.#closeOpen();
    const content = this.#blocks.map(toBlock);
    for (const [contentIndex, block] of content.entries()) {
      if (block.type === "toolCall") {
        this.#events.push({ type: "toolcall_end", contentIndex, toolCall: block });
      }
    }
    return { role: "assistant", content, ...about, timestamp: Date.now() };
  }

  #opened(type: "text" | "thinking"): number {
    const open = this.#open;
    if (open !== undefined && this.#blocks[open]?.type === type) return open;
    this.#closeOpen();
    this.claim(BLOCK_UNITS);
    const contentIndex = this.#blocks.push({ type, text: "" }) - 1;
    this.#open = contentIndex;
    this.#events.push({ type: `${type}_start`, contentIndex });
    return contentIndex;
  }

  #add(
    contentIndex: number,
    piece: { type: "text_delta" | "thinking_delta" | "toolcall_delta"; delta: string },
  ): void {
    const block = this.#blocks[contentIndex];
    if (!block) return;
    this.claim(quote(piece.delta).length - QUOTES);
    block.text += piece.delta;
    this.#events.push({ ...piece, contentIndex });
  }

  #closeOpen(): void {
    const contentIndex = this.#open;
    const block = contentIndex === undefined ? undefined : this.#blocks[contentIndex];
    this.#open = undefined;
    if (contentIndex === undefined || block === undefined || block.type === "toolCall") return;
    this.#events.push({ type: `${block.type}_end`, contentIndex, content: block.text });
  }
}

function toBlock(draft: Draft): ContentBlock {
  const signed = draft.signature === undefined ? {} : { signature: draft.signature };
  switch (draft.type) {
    case "text":
      return { type: "text", text: draft.text };
    case "thinking":
      return { type: "thinking", thinking: draft.text, ...signed };
    case "toolCall":
      return {
        type: "toolCall",
        id: draft.id,
        name: draft.name,
        argumentsText: draft.text,
        ...signed,
      } satisfies ToolCall;
  }
}
