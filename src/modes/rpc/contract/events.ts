/**
 * Every event of `saber rpc`.
 */
import * as z from "zod/mini";
import { AssistantMessage, ToolCall, TranscriptMessage } from "./messages.ts";
import { Artifact, Id, QueryResult, RunUsage, State } from "./shapes.ts";

const contentIndex = z.int().check(z.gte(0));
const started = { contentIndex };
const piece = { contentIndex, delta: z.string() };
const whole = { contentIndex, content: z.string() };

export const MessageUpdate = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_start"), ...started }),
  z.object({ type: z.literal("text_delta"), ...piece }),
  z.object({ type: z.literal("text_end"), ...whole }),
  z.object({ type: z.literal("thinking_start"), ...started }),
  z.object({ type: z.literal("thinking_delta"), ...piece }),
  z.object({ type: z.literal("thinking_end"), ...whole }),
  z.object({ type: z.literal("toolcall_start"), ...started, id: z.string(), toolName: z.string() }),
  z.object({ type: z.literal("toolcall_delta"), ...piece }),
  z.object({ type: z.literal("toolcall_end"), ...started, toolCall: ToolCall }),
]);

export const Ready = z.extend(State, { type: z.literal("ready"), protocolVersion: z.literal(1) });

const toolExecution = { toolCallId: z.string(), toolName: z.string() };
const agentEnd = { type: z.literal("agent_end") };

export const AgentEnd = z.discriminatedUnion("status", [
  z.object({
    ...agentEnd,
    status: z.literal("completed"),
    text: z.string(),
    messages: z.array(TranscriptMessage),
    usage: z.nullable(RunUsage),
    queryResults: z.array(QueryResult),
    artifacts: z.array(Artifact),
    threadId: z.nullable(z.string()),
  }),
  z.object({ ...agentEnd, status: z.literal("aborted") }),
  z.object({ ...agentEnd, status: z.literal("error"), error: z.string() }),
]);

export const Event = z.discriminatedUnion("type", [
  Ready,
  z.object({ type: z.literal("agent_start"), promptId: z.optional(Id) }),
  z.object({ type: z.literal("queue_update"), steering: z.array(z.string()) }),
  z.object({ type: z.literal("message_start") }),
  z.object({ type: z.literal("message_update"), assistantMessageEvent: MessageUpdate }),
  z.object({ type: z.literal("message_end"), message: AssistantMessage }),
  z.object({ type: z.literal("sql_update"), sql: z.string(), toolCallId: z.optional(z.string()) }),
  z.object({
    type: z.literal("tool_execution_start"),
    ...toolExecution,
    args: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("tool_execution_end"),
    ...toolExecution,
    result: z.string(),
    isError: z.boolean(),
    queryResult: z.optional(QueryResult),
    artifacts: z.optional(z.array(Artifact)),
  }),
  AgentEnd,
]);

export type Event = z.infer<typeof Event>;
