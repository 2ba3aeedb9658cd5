/**
 * The contract between the agent and a model, and the transcript both speak of. Types only; knows no SQL.
 * The message shapes are those of the saber rpc transcript, so that no second form of a conversation exists.
 */

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "maximum";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  /** What the provider wants back unchanged with this block; never shown to a host. */
  readonly signature?: string;
}

export interface ToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them, JSON text; may be broken. */
  readonly argumentsText: string;
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolCall;

/** Token counts of one request; a count the provider did not tell is absent, not 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

export type StopReason = "stop" | "length" | "toolUse" | "contentFilter" | "error";

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
  /** Epoch milliseconds, as in every message. */
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly ContentBlock[];
  /** Name of the model without its provider. */
  readonly model: string;
  readonly usage: Usage | null;
  readonly stopReason: StopReason | null;
  readonly timestamp: number;
}

/** What a tool answered; `Handle` and `File` are whatever the tools attach for the host (a stored result, artifacts). */
export interface ToolResultMessage<Handle = unknown, File = unknown> {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  /** The text the model sees. */
  readonly content: string;
  readonly isError: boolean;
  readonly queryResult?: Handle;
  readonly artifacts?: readonly File[];
  readonly timestamp: number;
}

export type Message<Handle = unknown, File = unknown> =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage<Handle, File>;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly parameters: { readonly [key: string]: unknown };
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly thinking: ThinkingLevel;
  /** Aborting it ends the HTTP request at once. */
  readonly signal: AbortSignal;
}

/** A response while it streams. Blocks open and close one after another or interleaved by index. */
export type ModelEvent =
  | { readonly type: "text_start" | "thinking_start"; readonly contentIndex: number }
  | {
    readonly type: "text_delta" | "thinking_delta" | "toolcall_delta";
    readonly contentIndex: number;
    readonly delta: string;
  }
  | { readonly type: "text_end" | "thinking_end"; readonly contentIndex: number; readonly content: string }
  | {
    readonly type: "toolcall_start";
    readonly contentIndex: number;
    readonly id: string;
    readonly toolName: string;
  }
  | { readonly type: "toolcall_end"; readonly contentIndex: number; readonly toolCall: ToolCall }
  | { readonly type: "done"; readonly message: AssistantMessage };

/**
 * One model that is ready to be asked. `stream` yields events and ends with exactly one `done`, or throws a Fault
 * (model_error, model_unreachable, model_auth, model_overloaded, model_timeout, cancelled).
 */
export interface Model {
  /** `provider:id` as the user chose it. */
  readonly id: string;
  /** The part after the provider. */
  readonly name: string;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** What a server calls an amount of thinking. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/** What an adapter needs to make a model; the key never leaves this object but for the request's header. */
export interface ModelOptions {
  /** `provider:id`. */
  readonly id: string;
  /** Where the API begins, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** A level without a name is not sent, so that the server decides. */
  readonly efforts: { readonly [Level in ThinkingLevel]?: Effort };
  /** How long the server may send nothing at all, in milliseconds. */
  readonly silenceMs: number;
}
