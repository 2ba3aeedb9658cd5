/**
 * The entries of a session file: a tree of messages and of what happened between them, one JSON object a line.
 * The file itself is session_file.ts's.
 */
import * as z from "zod/mini";
import { OmpMessage, Raw } from "./messages.ts";

const base = { id: z.string(), parentId: z.nullable(z.string()), timestamp: z.string() };

export const Header = z.object({
  type: z.literal("session"),
  version: z.number(),
  id: z.string(),
  timestamp: z.string(),
  cwd: z.string(),
  parentSession: z.exactOptional(z.string()),
});

const Task = z.object({
  id: z.string(),
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "abandoned"]),
});

export const TodoPhase = z.object({ id: z.string(), name: z.string(), tasks: z.array(Task) });

const custom = { ...base, type: z.literal("custom") };

export const Entry = z.discriminatedUnion("type", [
  z.object({ ...base, type: z.literal("message"), message: OmpMessage }),
  z.object({
    ...base,
    type: z.literal("model_change"),
    provider: z.string(),
    modelId: z.string(),
    model: z.string(),
  }),
  z.object({ ...base, type: z.literal("thinking_level_change"), thinkingLevel: z.string() }),
  z.object({
    ...base,
    type: z.literal("compaction"),
    summary: z.string(),
    firstKeptEntryId: z.string(),
    tokensBefore: z.number(),
    details: z.exactOptional(Raw),
  }),
  z.object({ ...base, type: z.literal("session_info"), name: z.string() }),
  z.discriminatedUnion("customType", [
    z.object({ ...custom, customType: z.literal("todos"), data: z.object({ phases: z.array(TodoPhase) }) }),
    z.object({
      ...custom,
      customType: z.literal("databases"),
      data: z.object({ names: z.array(z.string()) }),
    }),
  ]),
]);

/** What every entry has, of whatever kind. */
export const AnyEntry = z.looseObject({ ...base, type: z.string() });

export type Header = z.infer<typeof Header>;
export type Entry = z.infer<typeof Entry>;
export type TodoPhase = z.infer<typeof TodoPhase>;

type Fields<E> = E extends Entry ? Omit<E, "id" | "parentId" | "timestamp"> : never;
/** An entry before it has its place in the tree. */
export type NewEntry = Fields<Entry>;

/** The entry as a place in the tree where its kind is none of ours; the text of its line is kept. */
export interface ForeignEntry {
  readonly type: "foreign";
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly line: string;
}

export type AnyPlace = Entry | ForeignEntry;
