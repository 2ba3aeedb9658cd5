/**
 * Every command of `saber rpc`, whole: its type, its id and its parameters (../schemas.ts).
 */
import * as z from "zod/mini";
import {
  GetArtifact,
  GetQueryResult,
  NewSession,
  Nothing,
  Prompt,
  SetThinkingLevel,
  Steer,
} from "../schemas.ts";
import { Id } from "./shapes.ts";

function command<const Name extends string, Schema extends z.ZodMiniObject>(name: Name, params: Schema) {
  return z.extend(params, { type: z.literal(name), id: z.nullish(Id) });
}

export const Command = z.discriminatedUnion("type", [
  command("prompt", Prompt),
  command("steer", Steer),
  command("clear_queue", Nothing),
  command("abort", Nothing),
  command("new_session", NewSession),
  command("get_state", Nothing),
  command("get_messages", Nothing),
  command("get_last_assistant_text", Nothing),
  command("set_thinking_level", SetThinkingLevel),
  command("reload_model", Nothing),
  command("get_tables", Nothing),
  command("get_query_result", GetQueryResult),
  command("get_artifact", GetArtifact),
  command("shutdown", Nothing),
]);

/** As a host may send it. */
export type Command = z.input<typeof Command>;
export type CommandName = Command["type"];
