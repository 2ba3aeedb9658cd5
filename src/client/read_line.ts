/**
 * What saber says, checked: its lines, and the answers in them.
 */
import * as z from "zod/mini";
import { Event } from "../modes/rpc/contract/events.ts";
import { DATA, Failure } from "../modes/rpc/contract/responses.ts";
import { GoneError } from "./errors.ts";
import type { Answer, CommandName } from "./types.ts";

const Success = z.object({
  type: z.literal("response"),
  command: z.string(),
  success: z.literal(true),
  data: z.optional(z.unknown()),
  id: Failure.shape.id,
});

const Line = z.discriminatedUnion("type", [Event, z.discriminatedUnion("success", [Success, Failure])]);

export type Line = z.infer<typeof Line>;

/** Throws GoneError for what is no line of the protocol. */
export function readLine(text: string, parse: (text: string) => unknown): Line {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    throw notSaber(text);
  }
  const line = Line.safeParse(value);
  if (!line.success) throw notSaber(text);
  return line.data;
}

const ANSWERS: { readonly [Name in CommandName]: z.ZodMiniType<Answer<Name>> } = DATA;

/** The data of a response to this command. Throws GoneError for what is no answer to it. */
export function readAnswer<Name extends CommandName>(command: Name, data: unknown): Answer<Name> {
  const answer = ANSWERS[command].safeParse(data);
  if (!answer.success) {
    throw new GoneError(`Cannot read what saber answers to ${command}: it is not in the protocol.`);
  }
  return answer.data;
}

function notSaber(text: string): GoneError {
  return new GoneError(
    `Cannot read what saber says: ${JSON.stringify(text.slice(0, 200))} is not in the protocol.`,
  );
}
