/**
 * The transcript of `saber rpc`: messages and the blocks of an assistant's.
 */
import * as z from "zod/mini";
import { QueryResult, timestamp, Usage } from "./shapes.ts";

export const ToolCall = z.object({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});

export const ContentBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  ToolCall,
]);

export const UserMessage = z.object({ role: z.literal("user"), content: z.string(), timestamp });

export const AssistantMessage = z.object({
  role: z.literal("assistant"),
  content: z.array(ContentBlock),
  model: z.string(),
  usage: z.nullable(Usage),
  stopReason: z.nullable(z.enum(["stop", "length", "toolUse", "contentFilter", "error"])),
  timestamp,
});

export const ToolResultMessage = z.object({
  role: z.literal("toolResult"),
  toolCallId: z.string(),
  toolName: z.string(),
  content: z.string(),
  isError: z.boolean(),
  queryResult: z.optional(QueryResult),
  timestamp,
});

export const TranscriptMessage = z.discriminatedUnion("role", [
  UserMessage,
  AssistantMessage,
  ToolResultMessage,
]);
