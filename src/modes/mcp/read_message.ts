/**
 * A line from an MCP client as a protocol message, or as the answer that a line deserves which holds none.
 * What messages mean is the SDK's.
 */
import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId } from "@modelcontextprotocol/server";
import type { Line } from "../../base/lines.ts";
import { readClientJson } from "./client_json.ts";

/** The longest line a client may send, in bytes (docs/values.md, Input lines). */
export const MAX_LINE = 10_000_000;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly error: { readonly code: number; readonly message: string };
}

/** The message of a line, or the answer to a line that holds none. */
export function readMessage(
  line: Line,
): { readonly message: JSONRPCMessage } | { readonly refusal: Refusal } {
  const refused = (code: number, message: string) =>
    ({ refusal: { jsonrpc: "2.0", error: { code, message } } }) as const;
  if (line.kind === "oversize") {
    return refused(PARSE_ERROR, `Parse error: the line is longer than ${MAX_LINE} bytes`);
  }
  if (line.kind === "invalid") return refused(PARSE_ERROR, "Parse error: the line is not UTF-8");
  let value: unknown;
  try {
    value = readClientJson(line.text);
  } catch {
    return refused(PARSE_ERROR, "Parse error: the line is not JSON");
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const what = Array.isArray(value) ? "batches are not supported" : "not a JSON-RPC 2.0 message";
    const { refusal } = refused(INVALID_REQUEST, `Invalid request: ${what}`);
    const id = requestId(value);
    return { refusal: id === undefined ? refusal : { ...refusal, id } };
  }
}

/** The id of what looks like a request, so that its sender need not wait for ever. */
function requestId(value: unknown): RequestId | undefined {
  if (typeof value !== "object" || value === null || !("method" in value) || !("id" in value)) {
    return undefined;
  }
  const { id } = value;
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : undefined;
}
