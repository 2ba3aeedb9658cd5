/**
 * The JSONL spelling: `{"type":…,"id":…,…fields}` in, responses and events out (saber rpc, omp).
 * Pure functions; what a command means is decided elsewhere.
 */
import { Fault } from "../base/fault.ts";
import { toJson } from "../base/json.ts";
import type { Codec, Event, Id, Reply, Request } from "./frame.ts";

/** The command named by a reply to a line from which no command could be read. */
const UNREADABLE = "parse";

export const jsonl: Codec = { decode, unreadable, encode };

function decode(line: string): Request | Reply {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : "not JSON";
    return unreadable(
      new Fault("parse_error", `Failed to parse command: ${why.split("\n", 1)[0]?.slice(0, 200)}`),
    );
  }
  const method = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  if (typeof method !== "string" || method === "" || Array.isArray(value)) {
    return unreadable(new Fault("invalid_request", 'Command must be a JSON object with a string "type"'));
  }
  const id = readId(value);
  if (id instanceof Fault) return { kind: "reply", method, outcome: { fault: id } };
  return { kind: "request", method, params: value, ...(id === undefined ? {} : { id }) };
}

function readId(value: unknown): Id | undefined | Fault {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  if (id === undefined || id === null) return undefined;
  if (typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id))) return id;
  return new Fault("bad_request", "id must be a string or integer");
}

function unreadable(fault: Fault): Reply {
  return { kind: "reply", method: UNREADABLE, outcome: { fault } };
}

function encode(frame: Reply | Event): string {
  if (frame.kind === "event") return toJson({ type: frame.method, ...frame.data });
  const { outcome } = frame;
  return toJson({
    type: "response",
    command: frame.method,
    success: !("fault" in outcome),
    ...("fault" in outcome ? { error: outcome.fault.message } : { data: outcome.data }),
    ...(frame.id === undefined || frame.id === null ? {} : { id: frame.id }),
  });
}
