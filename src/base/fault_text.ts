/**
 * A failure in full, for peers that may read the server's own words (docs/values.md, Errors): the model, and the hosts
 * of rpc, omp and cli.
 */
import type { Fault } from "./fault.ts";

/** Our sentence, then what the server said, on one line. */
export function fullText({ message, server }: Fault): string {
  if (!server) return message;
  const { detail, hint } = server;
  const words = [server.message, detail, hint].filter((text) => text !== undefined && text !== "");
  return `${message} The server says: ${words.join(" ")}`.replaceAll(/[\p{Cc}\s]+/gu, " ");
}
