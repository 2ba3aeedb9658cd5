/**
 * The messages of the omp protocol, as they travel and as they stand in a session file: one schema for each role.
 * What they become for the model is history.ts's.
 */
import * as z from "zod/mini";
import { RawJson, toJson } from "../../base/json.ts";

/** Any JSON value, kept as its text. */
export const Raw = z.pipe(z.json(), z.transform((value) => new RawJson(toJson(value))));
const timestamp = z.number();

export const TextContent = z.object({ type: z.literal("text"), text: z.string() });

export const ImageContent = z.object({
  type: z.literal("image"),
  data: z.string(),
  mimeType: z.string(),
});

const Shown = z.discriminatedUnion("type", [TextContent, ImageContent]);
/** Some writers give a text where others give a list of one. */
const Content = z.union([
  z.array(Shown),
  z.pipe(z.string(), z.transform((text) => [{ type: "text" as const, text }])),
]);

const Block = z.discriminatedUnion("type", [
  TextContent,
  z.object({
    type: z.literal("thinking"),
    thinking: z.string(),
    thinkingSignature: z.exactOptional(z.string()),
  }),
  z.object({
    type: z.literal("toolCall"),
    id: z.string(),
    name: z.string(),
    /** A JSON object as the model wrote it. */
    arguments: Raw,
    thoughtSignature: z.exactOptional(z.string()),
  }),
]);

const Cost = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  total: z.number(),
});

const Usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.number(),
  cost: Cost,
});

export const UserMessage = z.object({
  role: z.literal("user"),
  content: Content,
  steering: z.exactOptional(z.literal(true)),
  /** Said by the program in the user's place. */
  synthetic: z.exactOptional(z.literal(true)),
  timestamp,
});

export const AssistantMessage = z.object({
  role: z.literal("assistant"),
  content: z.array(Block),
  api: z.string(),
  provider: z.string(),
  model: z.string(),
  usage: Usage,
  stopReason: z.enum(["stop", "length", "toolUse", "error", "aborted"]),
  errorMessage: z.exactOptional(z.string()),
  timestamp,
});

export const ToolResult = z.object({
  role: z.literal("toolResult"),
  toolCallId: z.string(),
  toolName: z.string(),
  content: Content,
  details: z.exactOptional(Raw),
  isError: z.boolean(),
  timestamp,
});

const BashExecution = z.object({
  role: z.literal("bashExecution"),
  command: z.string(),
  output: z.string(),
  exitCode: z.exactOptional(z.number()),
  cancelled: z.boolean(),
  truncated: z.boolean(),
  excludeFromContext: z.exactOptional(z.boolean()),
  timestamp,
});

/** What is neither the user's nor the model's: a briefing, the result of a command. */
const CustomMessage = z.object({
  role: z.literal("custom"),
  customType: z.string(),
  content: Content,
  display: z.boolean(),
  details: z.exactOptional(Raw),
  timestamp,
});

/** Stands in a conversation for what was compacted. */
const CompactionSummary = z.object({
  role: z.literal("compactionSummary"),
  summary: z.string(),
  tokensBefore: z.number(),
  timestamp,
});

export const OmpMessage = z.discriminatedUnion("role", [
  UserMessage,
  AssistantMessage,
  ToolResult,
  BashExecution,
  CustomMessage,
  CompactionSummary,
]);

export type OmpMessage = z.infer<typeof OmpMessage>;
export type UserMessage = z.infer<typeof UserMessage>;
export type AssistantMessage = z.infer<typeof AssistantMessage>;
export type ToolResult = z.infer<typeof ToolResult>;
export type ImageContent = z.infer<typeof ImageContent>;
export type Content = z.infer<typeof Content>;
export type Usage = z.infer<typeof Usage>;

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** The texts of a message's content, joined. */
export function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => part.type === "text" ? part.text ?? "" : "").join("");
}
