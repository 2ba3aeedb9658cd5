/**
 * DuckDB's errors as it writes them in JSON, and what of them goes into a Fault's `server`.
 */
import * as z from "zod/mini";
import type { ServerText } from "../../base/fault.ts";

/** An error in JSON; other members, which differ by kind, are passed over. */
const ErrorJson = z.object({
  exception_type: z.string(),
  exception_message: z.string(),
  error_subtype: z.optional(z.string()),
  /** What is missing: `Table`, `Schema`, `Scalar Function` … */
  type: z.optional(z.string()),
  name: z.optional(z.string()),
  /** Offset in characters, from 0. */
  position: z.optional(z.string()),
});
export type ErrorJson = z.infer<typeof ErrorJson>;

/** DuckDB's own words, without the frame around them. */
export function serverText(known: ErrorJson | undefined, text: string): ServerText {
  const position = known?.position === undefined ? NaN : Number(known.position);
  return {
    message: known?.exception_message ?? text,
    ...(known === undefined ? {} : { state: known.exception_type }),
    ...(Number.isSafeInteger(position) ? { position: position + 1 } : {}),
  };
}

/** The JSON that DuckDB or the library put a few words before. */
export function parseError(text: string): ErrorJson | undefined {
  const start = text.indexOf("{");
  if (start < 0) return undefined;
  try {
    const parsed = ErrorJson.safeParse(JSON.parse(text.slice(start)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
