/**
 * Threads of the Python program of the same name (`threads.db` in the config folder): found by id and turned into our
 * messages. Its file is only ever read.
 */
import type { SQLOutputValue } from "node:sqlite";
import * as z from "zod/mini";
import { readPythonDb } from "./python_db.ts";
import type { StoredMessage } from "./transcript.ts";

export interface PythonThread {
  readonly id: string;
  readonly title: string;
  readonly databases: readonly string[];
  /** Without its provider. */
  readonly model: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Saved connections to resume with; null where the Python program kept none. */
  readonly selectors: readonly string[] | null;
  readonly messages: readonly StoredMessage[];
}

const text = z.optional(z.nullable(z.string()));

const Part = z.looseObject({
  part_kind: z.string(),
  content: z.optional(z.unknown()),
  timestamp: text,
  signature: text,
  tool_name: text,
  tool_call_id: text,
  args: z.optional(z.unknown()),
});
type Part = z.infer<typeof Part>;

const number = z.optional(z.nullable(z.number()));

const PythonMessage = z.looseObject({
  kind: z.enum(["request", "response"]),
  parts: z.array(Part),
  model_name: text,
  timestamp: text,
  usage: z.optional(z.nullable(z.looseObject({ input_tokens: number, output_tokens: number }))),
});
type PythonMessage = z.infer<typeof PythonMessage>;

const Metadata = z.looseObject({ database_selector: z.optional(z.union([z.string(), z.array(z.string())])) });

/** The thread with this id; undefined when there is none. Throws for a file or a thread that cannot be read. */
export async function readPythonThread(path: string, id: string): Promise<PythonThread | undefined> {
  return await readPythonDb(path, (db) => {
    const row = db.prepare("SELECT * FROM threads WHERE id = ?").get(id);
    return row && toThread(row);
  });
}

/** The ids of all threads in the file, the latest first; none where there is no file. */
export async function listPythonThreads(path: string): Promise<string[]> {
  const rows = await readPythonDb(
    path,
    (db) => db.prepare("SELECT id FROM threads ORDER BY last_activity_at DESC, id").all(),
  );
  return (rows ?? []).map((row) => String(row.id));
}

function toThread(row: Record<string, SQLOutputValue>): PythonThread {
  const json = row.messages_json instanceof Uint8Array
    ? new TextDecoder().decode(row.messages_json)
    : String(row.messages_json);
  return {
    id: String(row.id),
    title: String(row.title ?? ""),
    databases: String(row.database_name ?? "").split(",").filter((name) => name !== ""),
    selectors: selectorsOf(row.extra_metadata),
    model: String(row.model_name ?? ""),
    createdAt: 1000 * Number(row.created_at ?? 0),
    updatedAt: 1000 * Number(row.last_activity_at ?? row.created_at ?? 0),
    messages: z.array(PythonMessage).parse(JSON.parse(json)).flatMap(toMessages),
  };
}

function selectorsOf(metadata: unknown): string[] | null {
  if (typeof metadata !== "string") return null;
  const { database_selector } = Metadata.parse(JSON.parse(metadata));
  return typeof database_selector === "string" ? [database_selector] : database_selector ?? null;
}

function toMessages(message: PythonMessage): StoredMessage[] {
  return message.kind === "response" ? [toAssistant(message)] : message.parts.flatMap(toRequest);
}

/** System prompts are made anew for each run. */
function toRequest(part: Part): StoredMessage[] {
  const timestamp = toTime(part.timestamp);
  switch (part.part_kind) {
    case "user-prompt":
      return [{ role: "user", content: toText(part.content), timestamp }];
    case "tool-return":
    case "retry-prompt":
      return [{
        role: "toolResult",
        toolCallId: part.tool_call_id ?? "",
        toolName: part.tool_name ?? "",
        content: toText(part.content),
        isError: part.part_kind === "retry-prompt",
        timestamp,
      }];
    default:
      return [];
  }
}

type Assistant = Extract<StoredMessage, { role: "assistant" }>;

function toAssistant({ parts, model_name, timestamp, usage }: PythonMessage): Assistant {
  const content = parts.flatMap(toBlock);
  return {
    role: "assistant",
    content,
    model: model_name ?? "",
    usage: usage
      ? {
        ...typeof usage.input_tokens === "number" ? { inputTokens: usage.input_tokens } : {},
        ...typeof usage.output_tokens === "number" ? { outputTokens: usage.output_tokens } : {},
      }
      : null,
    stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    timestamp: toTime(timestamp),
  };
}

/** Thinking is left out: its signature binds it to the request in which it was made. */
function toBlock(part: Part): Assistant["content"][number][] {
  switch (part.part_kind) {
    case "text":
      return [{ type: "text", text: toText(part.content) }];
    case "tool-call":
      return [{
        type: "toolCall",
        id: part.tool_call_id ?? "",
        name: part.tool_name ?? "",
        argumentsText: part.args === null || part.args === undefined ? "{}" : toText(part.args),
      }];
    default:
      return [];
  }
}

function toText(content: unknown): string {
  if (typeof content === "string") return content;
  return content === undefined ? "" : JSON.stringify(content);
}

function toTime(text: string | null | undefined): number {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? 0 : time;
}
