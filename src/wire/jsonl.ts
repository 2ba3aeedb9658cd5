/**
 * The JSONL spelling: `{"type":…,"id":…,…fields}` in, responses and events out (saber rpc, omp).
 * Pure functions; what a command means is decided elsewhere.
 */
import { Fault } from "../base/fault.ts";
import { fullText } from "../base/fault_text.ts";
import { toJson } from "../base/json.ts";
import type { Codec, Event, Reply, Request } from "./frame.ts";
import { isExactInteger, readId } from "./ids.ts";

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
  if (typeof value !== "object" || value === null || !("type" in value) || !isName(value.type)) {
    return unreadable(new Fault("invalid_request", 'Command must be a JSON object with a string "type"'));
  }
  const method = value.type;
  const id = readId(value, line) ?? undefined;
  if (id === undefined) return { kind: "request", method, params: value };
  if (typeof id === "string" || isExactInteger(id)) return { kind: "request", method, params: value, id };
  return {
    kind: "reply",
    method,
    outcome: { fault: new Fault("bad_request", "id must be a string or integer") },
  };
}

function isName(type: unknown): type is string {
  return typeof type === "string" && type !== "";
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
    ...("fault" in outcome ? { error: fullText(outcome.fault) } : { data: outcome.data }),
    ...(frame.id === undefined || frame.id === null ? {} : { id: frame.id }),
  });
}
