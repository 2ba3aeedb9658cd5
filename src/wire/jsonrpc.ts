/**
 * The JSON-RPC 2.0 spelling (saber plugin). Pure functions; batches are refused, since no peer of ours sends them.
 */
import { Fault, type FaultCode } from "../base/fault.ts";
import { toJson } from "../base/json.ts";
import type { Codec, Event, Id, Reply, Request } from "./frame.ts";
import { isExactInteger, readId } from "./ids.ts";

export const jsonrpc: Codec = { decode, unreadable, encode };

/** Error numbers of the JSON-RPC 2.0 specification, section 5.1; what a database says counts as internal, as hosts expect it. */
const NUMBERS: Partial<Record<FaultCode, number>> = {
  parse_error: -32700,
  invalid_request: -32600,
  unknown_command: -32601,
  bad_request: -32602,
  internal: -32603,
};
const SERVER_ERROR = -32603;

function decode(line: string): Request | Reply {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return unreadable(new Fault("parse_error", "Parse error: the line is not JSON"));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return unreadable(new Fault("invalid_request", "Invalid request: the line is not a JSON object"));
  }
  const id = readId(value, line);
  const method = "method" in value ? value.method : undefined;
  if (!isId(id)) {
    return unreadable(new Fault("invalid_request", "Invalid request: the id is no string or integer"));
  }
  if (typeof method !== "string" || method === "") {
    const fault = new Fault("invalid_request", "Invalid request: it needs a string method");
    return { kind: "reply", id: id ?? null, method: "", outcome: { fault } };
  }
  const params = "params" in value ? value.params : {};
  return { kind: "request", method, params, ...(id === undefined ? {} : { id }) };
}

function isId(id: unknown): id is Id | undefined {
  return id === undefined || id === null || typeof id === "string" || isExactInteger(id);
}

function unreadable(fault: Fault): Reply {
  return { kind: "reply", id: null, method: "", outcome: { fault } };
}

function encode(frame: Reply | Event): string | undefined {
  if (frame.kind === "event") return toJson({ jsonrpc: "2.0", method: frame.method, params: frame.data });
  const { outcome, id } = frame;
  if (id === undefined) return undefined; // a notification
  if ("fault" in outcome) {
    const { code } = outcome.fault;
    // hosts recognise this text (Tabularis falls back to its defaults)
    const message = code === "unknown_command" ? `Method not found: ${frame.method}` : outcome.fault.message;
    return toJson({
      jsonrpc: "2.0",
      id,
      error: { code: NUMBERS[code] ?? SERVER_ERROR, message, data: { code } },
    });
  }
  return toJson({ jsonrpc: "2.0", id, result: outcome.data ?? null });
}
