/**
 * Adds the events of a Messages stream up to an answer. It neither sends nor reads anything.
 */
import type { Answer } from "../answer.ts";
import type { AssistantMessage, ModelOptions, StopReason, Usage } from "../provider.ts";
import { serverFault } from "../server_fault.ts";
import type { Reader } from "../stream_answer.ts";
import { AnthropicEvent, type AnthropicUsage } from "./event.ts";
import { writeSignature } from "./thought.ts";

/** Any other word is an ordinary end. */
const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "toolUse"],
  ["refusal", "contentFilter"],
]);

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;

/** A call under way: where it stands in the answer, and its arguments where none are streamed. */
interface Call {
  readonly contentIndex: number;
  whole: string | undefined;
}

export class AnthropicAnswer implements Reader {
  readonly #answer: Answer;
  readonly #options: ModelOptions;
  readonly #calls = new Map<number, Call>();
  /** The signature of the open thinking, which comes at its end, in one piece or in several. */
  #signature = "";
  started = false;
  #stop: string | undefined;
  readonly #counts = new Map<typeof COUNTS[number], number>();

  constructor(answer: Answer, options: ModelOptions) {
    this.#answer = answer;
    this.#options = options;
  }

  get finished(): boolean {
    return this.#stop !== undefined;
  }

  take(piece: unknown): boolean {
    const { success, data: event } = AnthropicEvent.safeParse(piece);
    if (!success) return false;
    this.started = true;
    switch (event.type) {
      case "message_start":
        this.#addCounts(event.message?.usage);
        break;
      case "content_block_start":
        this.#begin(event);
        break;
      case "content_block_delta":
        this.#continue(event);
        break;
      case "content_block_stop":
        this.#end(event);
        break;
      case "message_delta":
        this.#addCounts(event.usage);
        this.#stop = event.delta?.stop_reason ?? this.#stop;
        break;
      case "error":
        throw serverFault({
          ...(event.error?.type ? { code: event.error.type } : {}),
          ...(event.error?.message ? { message: event.error.message } : {}),
        }, this.#options);
    }
    return true;
  }

  finish(): Pick<AssistantMessage, "usage" | "stopReason"> {
    const stopReason = STOP_REASONS.get(this.#stop ?? "") ?? (this.#calls.size > 0 ? "toolUse" : "stop");
    return { usage: this.#usage(), stopReason };
  }

  #begin({ index = -1, content_block: block }: AnthropicEvent): void {
    this.#answer.write("text", block?.text ?? "");
    this.#answer.write("thinking", block?.thinking ?? "");
    this.#signature = block?.signature ?? "";
    if (block?.type === "redacted_thinking") {
      this.#answer.signThinking(writeSignature({ redacted: block.data ?? "" }));
    }
    if (block?.type !== "tool_use") return;
    const contentIndex = this.#answer.beginCall(block.id ?? crypto.randomUUID(), block.name ?? "");
    const whole = JSON.stringify(block.input ?? {});
    this.#answer.claim(whole.length);
    this.#calls.set(index, { contentIndex, whole });
  }

  #continue({ index = -1, delta }: AnthropicEvent): void {
    this.#answer.write("text", delta?.text ?? "");
    this.#answer.write("thinking", delta?.thinking ?? "");
    const { signature } = delta ?? {};
    if (signature) {
      this.#answer.claim(signature.length);
      this.#signature += signature;
    }
    const call = this.#calls.get(index);
    if (!call || !delta?.partial_json) return;
    call.whole = undefined;
    this.#answer.addArguments(call.contentIndex, delta.partial_json);
  }

  #end({ index = -1 }: AnthropicEvent): void {
    if (this.#signature !== "") this.#answer.signThinking(writeSignature({ signature: this.#signature }));
    this.#signature = "";
    const call = this.#calls.get(index);
    // A call without arguments streams none.
    if (call?.whole !== undefined) this.#answer.addArguments(call.contentIndex, call.whole);
    if (call) call.whole = undefined;
  }

  /** Later counts replace earlier ones: they are those of the whole answer. */
  #addCounts(counts: AnthropicUsage | undefined): void {
    for (const name of COUNTS) {
      const count = counts?.[name];
      if (count !== undefined) this.#counts.set(name, count);
    }
  }

  /** Here the input is counted without what the cache took part in. */
  #usage(): Usage | null {
    const [input, output, read, written] = COUNTS.map((name) => this.#counts.get(name));
    if (this.#counts.size === 0) return null;
    return {
      ...(input === undefined ? {} : { inputTokens: input + (read ?? 0) + (written ?? 0) }),
      ...(output === undefined ? {} : { outputTokens: output }),
      ...(read === undefined ? {} : { cacheReadTokens: read }),
      ...(written === undefined ? {} : { cacheWriteTokens: written }),
    };
  }
}
