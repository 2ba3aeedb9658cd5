/**
 * What a run of the agent tells while it goes on: one closed union, ended by exactly one `agent_end`.
 * The names and fields are those of the saber rpc events; other modes translate from here.
 */
import type { Fault } from "../base/fault.ts";
import type { AssistantMessage, Message, ModelEvent, ToolCall } from "../llm/provider.ts";
import type { Artifact } from "../store/artifacts.ts";
import type { QueryResult } from "../store/results.ts";
import type { Delivery } from "./message_queue.ts";

/** One message of the conversation; what a tool kept or made is attached. */
export type TranscriptMessage = Message<QueryResult, Artifact>;

export type AgentEvent =
  | { readonly type: "agent_start" }
  /** What the user said in mid-run was delivered to the model, or dropped as the run ends early. */
  | { readonly type: "queue_update"; readonly delivery?: Delivery }
  | { readonly type: "message_start" }
  | { readonly type: "message_update"; readonly update: Exclude<ModelEvent, { type: "done" }> }
  | { readonly type: "message_end"; readonly message: AssistantMessage }
  | { readonly type: "sql_update"; readonly toolCallId: string; readonly sql: string }
  | { readonly type: "tool_execution_start"; readonly call: ToolCall; readonly args: unknown }
  | { readonly type: "tool_execution_end"; readonly end: ToolEnd }
  | AgentEnd;

export interface ToolEnd {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The text the model sees. */
  readonly result: string;
  readonly isError: boolean;
  readonly queryResult?: QueryResult;
  readonly artifacts?: readonly Artifact[];
}

export type AgentEnd =
  | { readonly type: "agent_end"; readonly status: "completed"; readonly turn: Turn }
  | { readonly type: "agent_end"; readonly status: "aborted" }
  | { readonly type: "agent_end"; readonly status: "error"; readonly error: string; readonly fault: Fault };

/** What a completed run adds to the conversation. */
export interface Turn {
  /** The text of the last assistant message. */
  readonly text: string;
  readonly messages: readonly TranscriptMessage[];
  readonly usage: RunUsage;
  readonly queryResults: readonly QueryResult[];
  readonly artifacts: readonly Artifact[];
}

export interface RunUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Requests to the model. */
  readonly requests: number;
  readonly toolCalls: number;
  /** Size of the last request's context in tokens, where the provider told it. */
  readonly contextTokens?: number;
  /** In US dollars, where all of it is known. */
  readonly costUsd?: number;
}
