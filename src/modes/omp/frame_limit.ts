/**
 * Keeps every line that is written below the size at which hosts give up: long texts are cut first, then the frame is
 * replaced by one that says so. A host that wants it has long lines in pieces instead.
 */
import { Fault } from "../../base/fault.ts";
import { type Json, RawJson, toJson } from "../../base/json.ts";
import { byteLength } from "../../base/utf8.ts";
import type { Event, Reply } from "../../wire/frame.ts";

/** Bytes of a line, its end included. */
const MAX_BYTES = 1 << 20;
/** Bytes of a line that a host puts together from pieces, and of one piece. */
const MAX_WHOLE_BYTES = 64 << 20;
const PIECE_BYTES = 256 << 10;
/** Characters that a text may keep, tried one after the other. */
const CUTS = [65_536, 8192, 1024, 128];

/** Answers that a host cannot do without, and of which long texts are not the point. Rows are never cut. */
const CUTTABLE: ReadonlySet<string> = new Set([
  ...["get_state", "get_messages", "get_messages_page", "get_branch_messages", "get_fork_messages"],
  ...["get_subagents", "get_last_assistant_text"],
]);

type Frame = Event | Reply;
type Encode = (frame: Frame) => string | undefined;

/** Second framing: the whole line, in pieces that follow each other. Beyond what a host puts together it is cut. */
export function inPieces(frame: Frame, encode: Encode): string | undefined {
  const line = encode(frame);
  if (line === undefined || fits(line)) return line;
  const bytes = new TextEncoder().encode(line);
  if (bytes.length > MAX_WHOLE_BYTES) return shortened(frame, encode);
  const chunkId = crypto.randomUUID();
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, index) =>
    toJson({
      ...{ type: "rpc_chunk", chunkId, index, count, byteLength: bytes.length },
      data: bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES).toBase64(),
    })).join("\n");
}

/** First framing: one line, with long texts cut. */
export function shortened(frame: Frame, encode: Encode): string | undefined {
  const line = encode(frame);
  if (line === undefined || fits(line)) return line;
  for (const smaller of smallerOnes(frame)) {
    const text = encode(smaller);
    if (text !== undefined && fits(text)) return text;
  }
  return encode(replacement(frame));
}

function fits(line: string): boolean {
  if (line.length * 3 < MAX_BYTES) return true;
  return line.length < MAX_BYTES && byteLength(line) < MAX_BYTES;
}

function* smallerOnes(frame: Frame): Generator<Frame> {
  if (frame.kind === "event") {
    if (frame.method === "agent_end" && Array.isArray(frame.data.messages)) {
      // each of them was told by its message_end
      yield { ...frame, data: { ...frame.data, messages: [], messageCount: frame.data.messages.length } };
    }
    for (const cut of CUTS) yield { ...frame, data: membersCut(frame.data, cut) };
  } else if (CUTTABLE.has(frame.method) && "data" in frame.outcome) {
    for (const cut of CUTS) yield { ...frame, outcome: { data: cutTexts(frame.outcome.data ?? null, cut) } };
  }
}

function replacement(frame: Frame): Frame {
  if (frame.kind === "reply") {
    return {
      ...frame,
      outcome: { fault: new Fault("too_large", "RPC response exceeded the transport limit") },
    };
  }
  const error = "RPC frame exceeded the transport limit";
  return { kind: "event", method: "rpc_frame_error", data: { originalType: frame.method, error } };
}

function membersCut(members: { readonly [key: string]: Json | undefined }, cut: number) {
  return Object.fromEntries(
    Object.entries(members).map(([key, value]): [string, Json | undefined] => [
      key,
      value === undefined ? undefined : cutTexts(value, cut),
    ]),
  );
}

function cutTexts(value: Json, cut: number): Json {
  if (typeof value === "string") {
    return value.length <= cut ? value : `${value.slice(0, cut)}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof RawJson) return cutTexts(parsed(value), cut);
  return isList(value) ? value.map((each) => cutTexts(each, cut)) : membersCut(value, cut);
}

function isList(
  value: Exclude<Json, RawJson | string | number | bigint | boolean | null>,
): value is readonly Json[] {
  return Array.isArray(value);
}

function parsed({ text }: RawJson): Json {
  const value: Json = JSON.parse(text);
  return value;
}
