/**
 * The spelling of the omp protocol: JSON lines as in wire/jsonl.ts, but for what its hosts are used to (which replies
 * carry no id, which frames are never answered) and for the size that a line may have.
 */
import { Fault, type FaultCode } from "../../base/fault.ts";
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

/** What a host may be told of a failed page besides the sentence. */
const PAGE_CODES: { readonly [code in FaultCode]?: string } = {
  busy: "session_busy",
  bad_state: "stale_cursor",
};

export interface Framing {
  /** How lines are written that are longer than a host takes: cut, or in pieces that it puts together. */
  version: 1 | 2;
  /** The reply to an unknown command keeps its id, which the protocol does without. */
  readonly keepsUnknownIds: boolean;
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

function encode(frame: Reply | Event, { version, keepsUnknownIds }: Framing): string | undefined {
  const fitted = version === 2 ? inPieces : shortened;
  if (frame.kind === "event") return fitted(frame, jsonl.encode);
  const isControl = CONTROL_FRAMES.has(frame.method);
  if (!("fault" in frame.outcome)) return isControl ? undefined : fitted(frame, jsonl.encode);
  const { fault } = frame.outcome;
  if (isControl) {
    const unknown = new Fault("unknown_command", `Unknown command: ${frame.method}`);
    return jsonl.encode({ kind: "reply", method: frame.method, outcome: { fault: unknown } });
  }
  // the protocol's own words: an unknown command is answered without its id
  if (fault.code === "unknown_command" && !keepsUnknownIds) {
    return jsonl.encode({ kind: "reply", method: frame.method, outcome: { fault } });
  }
  const code = frame.method === "get_messages_page" ? PAGE_CODES[fault.code] : undefined;
  return code === undefined ? fitted(frame, jsonl.encode) : jsonl.encode(withCode(frame, { fault, code }));
}

function withCode({ method, id }: Reply, { fault, code }: { fault: Fault; code: string }): Event {
  const about = { command: method, success: false, error: fault.message, code };
  return { kind: "event", method: "response", data: id === undefined ? about : { ...about, id } };
}
