/**
 * The conversation a page at a time, for hosts that would choke on all of it. A page is of one moment: once something
 * was said, its cursor is told to be stale.
 */
import { Fault } from "../../base/fault.ts";
import { toJson } from "../../base/json.ts";
import type { Conversation } from "./conversation.ts";
import type { OmpMessage } from "./messages.ts";

/** Characters of a page; one message may have more. */
const MAX_CHARACTERS = 256 << 10;

export interface MessagesPage {
  readonly messages: readonly OmpMessage[];
  readonly totalMessages: number;
  /** Where the next page begins; absent after the last. */
  readonly nextCursor?: string;
}

/** Throws Fault: busy in mid-run and in a compaction, bad_state for a cursor of another moment, bad_request. */
export function messagesPage(
  { tree, isStreaming, compactor }: Pick<Conversation, "tree" | "isStreaming" | "compactor">,
  { cursor, limit }: { readonly cursor?: string | null | undefined; readonly limit: number },
): MessagesPage {
  if (isStreaming || compactor.isRunning) {
    throw new Fault("busy", "Cannot page through the messages: the session is busy. Wait for agent_end.");
  }
  const messages = tree.messages();
  const moment = `${tree.header.id}/${tree.leaf ?? ""}/`;
  const from = cursor ? offsetOf(cursor, moment) : 0;
  const to = from + fitting(messages.slice(from, from + limit));
  const next = to < messages.length ? { nextCursor: `${moment}${to}` } : {};
  return { messages: messages.slice(from, to), totalMessages: messages.length, ...next };
}

function offsetOf(cursor: string, moment: string): number {
  const [, made = "", offset = ""] = /^([^/]*\/[^/]*\/)(\d{1,9})$/.exec(cursor) ?? [];
  if (made === "") {
    throw new Fault("bad_request", "cursor must come from the page before. Begin without one.");
  }
  if (made === moment) return Number(offset);
  throw new Fault("bad_state", "The cursor is stale: the session has changed since. Begin without one.");
}

/** How many of them fit on a page; at least one where there is one. */
function fitting(messages: readonly OmpMessage[]): number {
  let size = 0;
  const end = messages.findIndex((message) => (size += toJson({ ...message }).length) > MAX_CHARACTERS);
  return end < 0 ? messages.length : Math.max(1, end);
}
