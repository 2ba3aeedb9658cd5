/**
 * Adds the events of a Responses stream up to an answer. It neither sends nor reads anything.
 */
import type { Answer } from "../answer.ts";
import type { AssistantMessage, ModelOptions, StopReason, Usage } from "../provider.ts";
import { serverFault } from "../server_fault.ts";
import type { Reader } from "../stream_answer.ts";
import { ResponsesEvent, type ResponsesItem, type ResponsesResponse } from "./event.ts";
import { writeReasoning } from "./reasoning.ts";

/** A call under way: where it stands in the answer, and whether any of its arguments have come. */
interface Call {
  readonly contentIndex: number;
  written: boolean;
}

type Handler = (this: ResponsesAnswer, event: ResponsesEvent) => void;

export class ResponsesAnswer implements Reader {
  readonly #answer: Answer;
  readonly #options: ModelOptions;
  readonly #calls = new Map<number, Call>();
  started = false;
  #stop: StopReason | undefined;
  #refused = false;
  #usage: Usage | null = null;

  constructor(answer: Answer, options: ModelOptions) {
    this.#answer = answer;
    this.#options = options;
  }

  get finished(): boolean {
    return this.#stop !== undefined;
  }

  take(piece: unknown): boolean {
    const { success, data: event } = ResponsesEvent.safeParse(piece);
    if (!success) return false;
    this.started = true;
    // Events of other kinds (progress, annotations, tools of the server) say nothing that is of use here.
    if (Object.hasOwn(ResponsesAnswer.#handlers, event.type)) {
      ResponsesAnswer.#handlers[event.type]?.call(this, event);
    }
    return true;
  }

  finish(): Pick<AssistantMessage, "usage" | "stopReason"> {
    const ended = this.#stop ?? "stop";
    const stopReason = ended !== "stop"
      ? ended
      : this.#calls.size > 0
      ? "toolUse"
      : this.#refused
      ? "contentFilter"
      : "stop";
    return { usage: this.#usage, stopReason };
  }

  static readonly #handlers: { readonly [type: string]: Handler } = {
    "response.output_text.delta"({ delta = "" }) {
      this.#answer.write("text", delta);
    },
    "response.refusal.delta"({ delta = "" }) {
      this.#refused = true;
      this.#answer.write("text", delta);
    },
    "response.reasoning_summary_text.delta"({ delta = "" }) {
      this.#answer.write("thinking", delta);
    },
    "response.reasoning_summary_part.added"({ summary_index = 0 }) {
      if (summary_index > 0) this.#answer.write("thinking", "\n\n");
    },
    "response.reasoning_text.delta"({ delta = "" }) {
      this.#answer.write("thinking", delta);
    },
    "response.output_item.added"(event) {
      if (event.item?.type === "function_call") this.#call(event, event.item);
    },
    "response.function_call_arguments.delta"(event) {
      const call = this.#calls.get(event.output_index ?? -1);
      if (!call || !event.delta) return;
      call.written = true;
      this.#answer.addArguments(call.contentIndex, event.delta);
    },
    "response.output_item.done"(event) {
      if (event.item) this.#end(event, event.item);
    },
    "response.completed"({ response }) {
      this.#stop = "stop";
      this.#takeUsage(response);
    },
    "response.incomplete"({ response }) {
      this.#stop = response?.incomplete_details?.reason === "content_filter" ? "contentFilter" : "length";
      this.#takeUsage(response);
    },
    "response.failed"({ response }) {
      throw this.#fault(response?.error ?? {});
    },
    "error"(event) {
      throw this.#fault(event);
    },
  };

  #call({ output_index = -1 }: ResponsesEvent, { call_id, id, name = "" }: ResponsesItem): Call {
    const known = this.#calls.get(output_index);
    if (known) return known;
    const call = {
      contentIndex: this.#answer.beginCall(call_id ?? id ?? crypto.randomUUID(), name),
      written: false,
    };
    this.#calls.set(output_index, call);
    return call;
  }

  #end(event: ResponsesEvent, item: ResponsesItem): void {
    if (item.type === "reasoning" && item.id && item.encrypted_content) {
      this.#answer.signThinking(writeReasoning({ id: item.id, encrypted_content: item.encrypted_content }));
    }
    if (item.type !== "function_call") return;
    // Servers that stream no arguments have them here.
    const call = this.#call(event, item);
    if (!call.written) this.#answer.addArguments(call.contentIndex, item.arguments ?? "");
    call.written = true;
  }

  #takeUsage(response: ResponsesResponse | undefined): void {
    const { input_tokens, output_tokens, input_tokens_details } = response?.usage ?? {};
    const { cached_tokens, cache_write_tokens } = input_tokens_details ?? {};
    if (!response?.usage) return;
    this.#usage = {
      ...(input_tokens === undefined ? {} : { inputTokens: input_tokens }),
      ...(output_tokens === undefined ? {} : { outputTokens: output_tokens }),
      ...(cached_tokens === undefined ? {} : { cacheReadTokens: cached_tokens }),
      ...(cache_write_tokens === undefined ? {} : { cacheWriteTokens: cache_write_tokens }),
    };
  }

  #fault(
    { code, message }: { code?: string | number | null | undefined; message?: string | null | undefined },
  ) {
    return serverFault({
      ...(code === null || code === undefined ? {} : { code: String(code) }),
      ...(message ? { message } : {}),
    }, this.#options);
  }
}
