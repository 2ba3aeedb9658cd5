/**
 * The answer to every command of `saber rpc`, and the answer to a command that failed.
 */
import * as z from "zod/mini";
import type { CommandName } from "./commands.ts";
import { TranscriptMessage } from "./messages.ts";
import { Artifact, Id, QueryResult, State, Table } from "./shapes.ts";

export const Queued = z.object({ enqueueId: z.string(), pendingSteers: z.array(z.string()) });

export const ResultPage = z.object({
  result: QueryResult,
  offset: z.int().check(z.gte(0)),
  limit: z.int().check(z.gte(1), z.lte(5000)),
  rows: z.array(z.record(z.string(), z.unknown())),
  hasMore: z.boolean(),
});

/** The data of each success. */
export const DATA = {
  /** Only of a prompt that was taken as a steer. */
  prompt: z.optional(Queued),
  steer: Queued,
  clear_queue: z.object({ steering: z.array(z.string()) }),
  abort: z.object({ aborted: z.boolean() }),
  new_session: State,
  get_state: State,
  get_messages: z.object({ messages: z.array(TranscriptMessage) }),
  get_last_assistant_text: z.object({ text: z.nullable(z.string()) }),
  set_thinking_level: State,
  reload_model: State,
  get_tables: z.object({ tables: z.array(Table) }),
  get_query_result: ResultPage,
  get_artifact: z.object({ artifact: Artifact }),
  shutdown: z.optional(z.never()),
} as const satisfies { readonly [Name in CommandName]: z.ZodMiniType };

export type Data = { readonly [Name in CommandName]: z.infer<(typeof DATA)[Name]> };

const common = { type: z.literal("response"), id: z.optional(Id) };

function success<const Name extends CommandName>(command: Name) {
  return z.object({ ...common, command: z.literal(command), success: z.literal(true), data: DATA[command] });
}

export const Success = z.discriminatedUnion("command", [
  success("prompt"),
  success("steer"),
  success("clear_queue"),
  success("abort"),
  success("new_session"),
  success("get_state"),
  success("get_messages"),
  success("get_last_assistant_text"),
  success("set_thinking_level"),
  success("reload_model"),
  success("get_tables"),
  success("get_query_result"),
  success("get_artifact"),
  success("shutdown"),
]);

/** `command` is `parse` for a line that is no command, `startup` for a start that failed, else what was sent. */
export const Failure = z.object({
  ...common,
  command: z.string(),
  success: z.literal(false),
  error: z.string(),
});

export const Response = z.discriminatedUnion("success", [Success, Failure]);

export type Response = z.infer<typeof Response>;
