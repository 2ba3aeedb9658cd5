/**
 * Schemas for what servers send beside the answer itself: what is not usable counts as absent.
 */
import * as z from "zod/mini";

/** A member that is of use only when it has this type. */
export function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined);
}

/** A number of tokens. */
export const count = lenient(z.int().check(z.gte(0)));
