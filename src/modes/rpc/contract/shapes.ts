/**
 * The things that commands and events of `saber rpc` speak of: ids, the state, results, artifacts, tables, usage.
 */
import * as z from "zod/mini";
import { THINKING_LEVELS } from "../../../settings/model.ts";

/** An integer may have more digits than a double holds; it comes back as it was sent. */
export const Id = z.union([z.string(), z.number().check(z.multipleOf(1))]);

const count = z.int().check(z.gte(0));
/** Epoch milliseconds. */
export const timestamp = count;

export const State = z.object({
  state: z.enum(["idle", "running"]),
  database: z.object({ name: z.string(), type: z.string(), names: z.array(z.string()) }),
  model: z.object({ name: z.string(), id: z.nullable(z.string()) }),
  thinkingLevel: z.enum(THINKING_LEVELS),
  thinkingLevels: z.array(z.enum(THINKING_LEVELS)),
  dangerousMode: z.boolean(),
  csvToolResults: z.boolean(),
  threadId: z.nullable(z.string()),
  threadPersistence: z.boolean(),
  messageCount: count,
  pendingSteers: z.array(z.string()),
});

export const Usage = z.object({
  inputTokens: z.optional(count),
  outputTokens: z.optional(count),
  cacheReadTokens: z.optional(count),
  cacheWriteTokens: z.optional(count),
});

export const RunUsage = z.extend(Usage, {
  requests: count,
  toolCalls: count,
  contextTokens: z.optional(count),
});

export const QueryResult = z.object({
  id: z.string(),
  file: z.string(),
  rowCount: count,
  columns: z.array(z.string()),
  size: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  mediaType: z.string(),
  databaseName: z.optional(z.string()),
  createdAt: z.optional(timestamp),
});

export const Artifact = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["image", "notebook", "file"]),
  mediaType: z.string(),
  size: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  uri: z.string(),
});

export const Table = z.object({
  database: z.string(),
  schema: z.string(),
  name: z.string(),
  kind: z.enum([
    "table",
    "view",
    "materialized view",
    "partitioned table",
    "foreign table",
    "virtual table",
  ]),
  qualifiedName: z.string(),
});
