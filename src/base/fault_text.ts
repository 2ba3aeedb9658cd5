/**
 * A failure in full, for peers that may read the server's own words (docs/values.md, Errors): the model, and the hosts
 * of rpc, omp and cli.
 */
import type { Fault } from "./fault.ts";

/** Longest quotation of a server, in UTF-16 units. */
const MAX_QUOTE = 2000;

/** Our sentence, then what the server said, on one line. */
export function fullText({ message, server }: Fault): string {
  if (!server) return message;
  const { detail, hint } = server;
  const words = [server.message, detail, hint].filter((text) => text !== undefined && text !== "")
    .join(" ").replaceAll(/[\p{Cc}\s]+/gu, " ");
  const quote = words.length > MAX_QUOTE ? `${words.slice(0, MAX_QUOTE).toWellFormed()} …` : words;
  return `${message} The server says: ${quote}`;
}
