/**
 * One entry of the command table: which fields a request has, under which names, and on which connection it runs.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Command, CommandContext } from "../../wire/dispatch.ts";
import type { Connection } from "./connection.ts";
import { readConnection } from "./connection_params.ts";
import { inFull } from "./error_text.ts";
import type { Plugin } from "./plugin.ts";

/** Names that other versions of the host use, and ours. */
const ALIASES: { readonly [field: string]: readonly string[] } = {
  object: ["table", "view_name", "view", "routine_name", "routine", "name"],
  view_name: ["view", "name"],
  routine_name: ["routine", "name"],
  trigger_name: ["trigger", "name"],
  table_name: ["table"],
  fk_name: ["constraint_name", "name"],
  limit: ["page_size"],
};

export const text = z.string();
export const name = z.string().check(z.minLength(1));
/** Null and an empty text mean the engine's own. */
export const schemaName = z.pipe(z.optional(z.nullable(z.string())), z.transform((value) => value || null));
export const optionalText = z.pipe(z.optional(z.nullable(z.string())), z.transform((value) => value ?? null));
export const count = z.int().check(z.nonnegative());
export const record = z.record(z.string(), z.unknown());

type Fields = z.core.$ZodLooseShape;
type Values<Shape extends Fields> = z.infer<z.ZodMiniObject<Shape>>;

/** What a command is told. */
export interface Call<Shape extends Fields> {
  /** The parameters as they came. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly fields: Values<Shape>;
  readonly signal: AbortSignal;
}

export interface ConnectedCall<Shape extends Fields> extends Call<Shape> {
  readonly connection: Connection;
}

/** A command on the connection that the request describes. */
export function connected<Shape extends Fields>(
  plugin: Plugin,
  fields: Shape,
  { run }: { run: (call: ConnectedCall<Shape>) => Promise<Json> },
): Command {
  return plain(fields, async (call) => {
    const connection = await plugin.connection(readConnection(call.sent.params ?? call.sent));
    return await run({ ...call, connection });
  });
}

/** A command that needs no connection; `sent` is the request's parameters as they came. */
export function plain<Shape extends Fields>(
  fields: Shape,
  run: (call: Call<Shape>, context: CommandContext) => Promise<Json>,
): Command {
  const schema = z.object(fields);
  return {
    lane: "concurrent",
    run: async (params, context) => {
      try {
        const sent = record.safeParse(params ?? {}).data;
        if (sent === undefined) {
          throw new Fault("bad_request", "Cannot read the parameters: they are no object.");
        }
        const values = parse(schema, withOurNames(sent, fields));
        return await run({ sent, fields: values, signal: context.signal }, context);
      } catch (error) {
        throw inFull(error);
      }
    },
  };
}

function withOurNames(
  sent: Readonly<Record<string, unknown>>,
  fields: Fields,
): Readonly<Record<string, unknown>> {
  const named = { ...sent };
  for (const field of Object.keys(fields)) {
    const alias = ALIASES[field]?.find((each) => sent[each] !== undefined);
    if (sent[field] === undefined && alias !== undefined) named[field] = sent[alias];
  }
  return named;
}

/** Throws Fault `bad_request`. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new Fault("bad_request", `Cannot read the parameters: "${where}" is missing or not as it should be.`);
}
