/**
 * One event of a Responses stream, as far as it is of use. What the events add up to is answer.ts's.
 */
import * as z from "zod/mini";
import { count, lenient } from "../lenient.ts";

const Item = z.object({
  type: z.string(),
  id: z.nullish(z.string()),
  call_id: z.optional(z.string()),
  name: z.optional(z.string()),
  arguments: z.optional(z.string()),
  encrypted_content: z.nullish(z.string()),
});

const failure = {
  code: z.nullish(z.union([z.string(), z.number()])),
  message: z.nullish(z.string()),
};

const Response = z.object({
  usage: lenient(z.object({
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: lenient(z.object({ cached_tokens: count, cache_write_tokens: count })),
  })),
  incomplete_details: z.nullish(z.object({ reason: z.optional(z.string()) })),
  error: z.nullish(z.object(failure)),
});

/** Each member stands in the events that have it; `type` says which one it is. */
export const ResponsesEvent = z.object({
  type: z.string(),
  output_index: z.optional(z.int()),
  summary_index: z.optional(z.int()),
  delta: z.optional(z.string()),
  item: z.optional(Item),
  response: z.optional(Response),
  /** Of an event `error`. */
  ...failure,
});

export type ResponsesEvent = z.infer<typeof ResponsesEvent>;
export type ResponsesItem = z.infer<typeof Item>;
export type ResponsesResponse = z.infer<typeof Response>;
