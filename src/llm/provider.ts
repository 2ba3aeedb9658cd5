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
  /** What the provider wants back with this block, in the words of its adapter; never shown to a host. */
  readonly signature?: string;
}

export interface ToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them, JSON text; may be broken. */
  readonly argumentsText: string;
  /** As for thinking. */
  readonly signature?: string;
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolCall;

/** Token counts of one request; a count the provider did not tell is absent, not 0. */
export interface Usage {
  /** All of the input, with what was read from a cache or written to one. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input read from a cache, and written to one; what such input costs is not known where it is left out. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The price holds for requests of up to so many input tokens. */
  readonly upToInputTokens?: number;
}

export type StopReason = "stop" | "length" | "toolUse" | "contentFilter" | "error";

export interface Image {
  /** Base64. */
  readonly data: string;
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mimeType: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
  /** What the user shows besides; only models that see take it. */
  readonly images?: readonly Image[];
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
  /** Size of the context in tokens, where it is known. */
  readonly contextTokens?: number;
  readonly price?: Price;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** Members of a request's JSON body. */
export type Fields = { readonly [name: string]: unknown };

/** What a request carries at each level; a level without an entry leaves the decision to the server. */
export type ThinkingFields = { readonly [Level in ThinkingLevel]?: Fields };

/** What an adapter needs to make a model; the key never leaves this object but for the request's header. */
export interface ModelOptions {
  /** `provider:id`. */
  readonly id: string;
  /** Where the API begins, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Sent with each request besides what the API needs. */
  readonly headers?: { readonly [name: string]: string };
  readonly thinking: ThinkingFields;
  /** Size of the context in tokens, input and output together, where it is known. */
  readonly contextTokens?: number;
  /** The longest answer in tokens, for an API that wants to be told. */
  readonly maxOutputTokens?: number;
  readonly price?: Price;
  /** Thinking that led to tool calls goes back to the server as it came. */
  readonly wantsThinkingBack?: boolean;
  /** The server takes only ids of nine letters and digits for tool calls. */
  readonly callIds?: "nine";
  /** How long the server may send nothing at all, in milliseconds. */
  readonly silenceMs: number;
}
