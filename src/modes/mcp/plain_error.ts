/**
 * The SDK's errors in a sentence. What it says of a request whose parameters are not as the protocol has them is a dump
 * of its validator; a person or a model needs the member and what it must be.
 */
import type { JSONRPCErrorResponse } from "@modelcontextprotocol/server";
import * as z from "zod/mini";

const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

const issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }));

/** The same answer, on one line; a validator's complaint is never an internal error. */
export function plainError(response: JSONRPCErrorResponse): JSONRPCErrorResponse {
  const { code, message } = response.error;
  const begin = message.indexOf("[\n");
  const found = begin < 0 ? [] : issuesIn(message.slice(begin));
  if (found.length === 0) return response;
  const what = found.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  const error = {
    ...response.error,
    code: code === INTERNAL_ERROR ? INVALID_PARAMS : code,
    message: (message.slice(0, begin) || "Invalid request: ") + what,
  };
  return { ...response, error };
}

function issuesIn(text: string): z.infer<typeof issues> {
  try {
    return issues.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}
