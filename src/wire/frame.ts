/**
 * What travels between peers, independent of its spelling: requests, replies and events.
 * The two spellings are jsonl.ts and jsonrpc.ts; meaning is the dispatcher's.
 */
import type { Fault } from "../base/fault.ts";
import type { Json } from "../base/json.ts";

/** null stands for a reply to something whose id could not be read. */
export type Id = string | number | bigint | null;

export interface Request {
  readonly kind: "request";
  /** Absent: JSON-RPC wants no reply; JSONL replies without an id. */
  readonly id?: Id;
  readonly method: string;
  /** As the peer sent it; a command's schema is the only thing that may read it. */
  readonly params: unknown;
}

export interface Reply {
  readonly kind: "reply";
  readonly id?: Id;
  /** The command that is answered; "parse" when none could be read. */
  readonly method: string;
  readonly outcome: Outcome;
}

export type Outcome = { readonly data?: Json | undefined } | { readonly fault: Fault };

export interface Event {
  readonly kind: "event";
  readonly method: string;
  readonly data: { readonly [key: string]: Json | undefined };
}

/** One spelling of frames; all functions are pure. */
export interface Codec {
  /** A line as a request, or as the reply that it deserves when it is none. */
  decode(line: string): Request | Reply;
  /** The reply to a line from which nothing could be read. */
  unreadable(fault: Fault): Reply;
  /** A frame as one line, or undefined where the spelling has no answer (a JSON-RPC notification). */
  encode(frame: Reply | Event): string | undefined;
}
