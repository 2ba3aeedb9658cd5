/**
 * The spelling of the omp protocol: JSON lines as in wire/jsonl.ts, but for what its hosts are used to (which replies
 * carry no id, which frames are never answered) and for the size that a line may have.
 */
import { Fault } from "../../base/fault.ts";
import type { Codec, Event, Reply, Request } from "../../wire/frame.ts";
import { isExactInteger, readId } from "../../wire/ids.ts";
import { jsonl } from "../../wire/jsonl.ts";
import { inPieces, shortened } from "./frame_limit.ts";

/** Answers of the host to something we asked: no reply is due. */
const CONTROL_FRAMES: ReadonlySet<string> = new Set([
  "extension_ui_response",
  "host_tool_update",
  "host_tool_result",
  "host_uri_result",
]);

/** How lines are written that are longer than a host takes: cut, or in pieces that it puts together. */
export interface Framing {
  version: 1 | 2;
}

export function ompCodec(framing: Framing): Codec {
  return { decode, unreadable: jsonl.unreadable, encode: (frame) => encode(frame, framing) };
}

function decode(line: string): Request | Reply {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return unparsed(error instanceof Error ? error.message.split("\n", 1)[0]?.slice(0, 200) : undefined);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return unparsed("the line is not a JSON object");
  }
  if (!("type" in value) || typeof value.type !== "string") return unparsed('it has no string "type"');
  const id = readId(value, line);
  const request = { kind: "request", method: value.type, params: value } as const;
  return typeof id === "string" || isExactInteger(id) ? { ...request, id } : request;
}

function unparsed(why = "not JSON"): Reply {
  return jsonl.unreadable(new Fault("parse_error", `Failed to parse command: ${why}`));
}

function encode(frame: Reply | Event, { version }: Framing): string | undefined {
  const fitted = version === 2 ? inPieces : shortened;
  if (frame.kind === "event") return fitted(frame, jsonl.encode);
  if (!("fault" in frame.outcome)) {
    return CONTROL_FRAMES.has(frame.method) ? undefined : fitted(frame, jsonl.encode);
  }
  const isControl = CONTROL_FRAMES.has(frame.method);
  if (!isControl && frame.outcome.fault.code !== "unknown_command") return fitted(frame, jsonl.encode);
  const fault = isControl
    ? new Fault("unknown_command", `Unknown command: ${frame.method}`)
    : frame.outcome.fault;
  // the protocol's own words: an unknown command is answered without its id
  return jsonl.encode({ kind: "reply", method: frame.method, outcome: { fault } });
}
