/**
 * The parameters of every `saber rpc` command. The texts of the checks are part of the protocol.
 * What the commands do is commands.ts's.
 */
import * as z from "zod/mini";
import { THINKING_LEVELS } from "../../settings/model.ts";

const FOLLOW_UP = 'streamingBehavior "followUp" is not supported. Use steer for an in-run redirect, ' +
  "or wait for agent_end and send prompt.";

/** A required text. */
function text(name: string, { mayBeBlank }: { readonly mayBeBlank: boolean }) {
  const error = `${name} must be a non-empty string`;
  return z.string({ error }).check(mayBeBlank ? z.minLength(1, { error }) : z.regex(/\S/, { error }));
}

/** A field of other dialects: refused by name when it carries a value. */
function refused(why: string) {
  return z.optional(z.null({ error: why }));
}

const message = text("message", { mayBeBlank: false });
const images = refused("images are not supported: a prompt is text");
const parentSession = refused("parentSession is not supported: threads are linear, not a tree");

export const Nothing = z.object({});

export const Prompt = z.object({
  message,
  images,
  streamingBehavior: z.nullish(z.literal("steer", {
    error: ({ input }) => input === "followUp" ? FOLLOW_UP : 'streamingBehavior must be "steer"',
  })),
});

export const Steer = z.object({ message, images });

export const SetThinkingLevel = z.object({
  level: z.enum(THINKING_LEVELS, { error: `level must be one of: ${THINKING_LEVELS.join(", ")}` }),
});

export const NewSession = z.object({ parentSession });

const OFFSET = { error: "offset must be a non-negative integer" };
const LIMIT = { error: "limit must be an integer from 1 to 5000" };

export const GetQueryResult = z.object({
  resultId: text("resultId", { mayBeBlank: true }),
  offset: z._default(z.int(OFFSET).check(z.gte(0, OFFSET)), 0),
  limit: z._default(z.int(LIMIT).check(z.gte(1, LIMIT), z.lte(5000, LIMIT)), 500),
});

export const GetArtifact = z.object({ artifactId: text("artifactId", { mayBeBlank: true }) });
