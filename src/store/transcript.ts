/**
 * Messages of a conversation as they are kept in the program's own database: written as JSON, checked when read.
 */
import * as z from "zod/mini";
import type { Message } from "../llm/provider.ts";
import type { Artifact } from "./artifacts.ts";
import type { QueryResult } from "./results.ts";

export type StoredMessage = Message<QueryResult, Artifact>;

const count = z.exactOptional(z.number());
const timestamp = z.number();

const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.exactOptional(z.string()) }),
  z.object({
    type: z.literal("toolCall"),
    id: z.string(),
    name: z.string(),
    argumentsText: z.string(),
    signature: z.exactOptional(z.string()),
  }),
]);

const Usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});

const Result = z.object({
  id: z.string(),
  file: z.string(),
  rowCount: z.number(),
  columns: z.array(z.string()),
  size: z.number(),
  sha256: z.string(),
  mediaType: z.string(),
  databaseName: z.exactOptional(z.string()),
  createdAt: z.exactOptional(z.number()),
});

const File = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["image", "notebook", "file"]),
  mediaType: z.string(),
  size: z.number(),
  sha256: z.string(),
  uri: z.string(),
});

const Stored = z.array(z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), content: z.string(), timestamp }),
  z.object({
    role: z.literal("assistant"),
    content: z.array(Block),
    model: z.string(),
    usage: z.nullable(Usage),
    stopReason: z.nullable(z.enum(["stop", "length", "toolUse", "contentFilter", "error"])),
    timestamp,
  }),
  z.object({
    role: z.literal("toolResult"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.string(),
    isError: z.boolean(),
    queryResult: z.exactOptional(Result),
    artifacts: z.exactOptional(z.array(File)),
    timestamp,
  }),
]));

const Details = z.object({
  queryResult: z.exactOptional(Result),
  artifacts: z.exactOptional(z.array(File)),
});

/** What a tool's answer kept, from JSON text that has it as members; nothing where it is of another form. */
export function readDetails(json: string): z.infer<typeof Details> {
  return Details.safeParse(JSON.parse(json)).data ?? {};
}

/** The messages as JSON text. */
export function writeMessages(messages: readonly StoredMessage[]): string {
  return JSON.stringify(messages);
}

/** Throws for text that `writeMessages` did not write. */
export function readMessages(text: string): StoredMessage[] {
  return Stored.parse(JSON.parse(text));
}
