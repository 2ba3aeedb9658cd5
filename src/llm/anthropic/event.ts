/**
 * One event of a Messages stream, as far as it is of use. What the events add up to is answer.ts's.
 */
import * as z from "zod/mini";
import { count, lenient } from "../lenient.ts";

const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});

const text = z.nullish(z.string());

/** Each member stands in the events that have it; `type` says which one it is. */
export const AnthropicEvent = z.object({
  type: z.string(),
  index: z.optional(z.int()),
  message: z.optional(z.object({ usage: lenient(Usage) })),
  content_block: z.optional(z.object({
    type: z.string(),
    text,
    thinking: text,
    signature: text,
    data: text,
    id: text,
    name: text,
    input: z.optional(z.unknown()),
  })),
  delta: z.optional(z.object({
    text,
    thinking: text,
    signature: text,
    partial_json: text,
    stop_reason: text,
  })),
  usage: lenient(Usage),
  /** Of an event `error`. */
  error: z.optional(z.object({ type: text, message: text })),
});

export type AnthropicEvent = z.infer<typeof AnthropicEvent>;
export type AnthropicUsage = z.infer<typeof Usage>;
