/**
 * What the host shows of a failure: the server's own words in full, since its people write the SQL themselves.
 */
import { Fault, toFault } from "../../base/fault.ts";

/** The same failure with all that the server said as its message. */
export function inFull(error: unknown): Fault {
  const fault = toFault(error);
  const { server, code, cause, message } = fault;
  if (server === undefined) return new Fault(code, harmless(message), { cause });
  const state = server.state === undefined
    ? ""
    : ` (${server.state.length === 5 ? "SQLSTATE" : "code"} ${server.state})`;
  const lines = [
    // who waits for another program should read that first
    ...code === "busy" ? [message] : [],
    `${server.message}${state}`,
    ...server.detail === undefined ? [] : [`DETAIL: ${server.detail}`],
    ...server.hint === undefined ? [] : [`HINT: ${server.hint}`],
    ...server.position === undefined ? [] : [`POSITION: ${server.position}`],
  ];
  return new Fault(code, harmless(lines.join("\n")), { cause });
}

/** The same failure without a place in the statement, for people who did not write it. */
export function withoutPlace(error: unknown): Fault {
  const { code, message, server, cause } = toFault(error);
  if (server?.position === undefined) return toFault(error);
  const { position: _, ...rest } = server;
  return new Fault(code, message, { server: rest, cause });
}

/** Hosts take these words for "the driver has no such method", and then fall back without a word to the user. */
function harmless(text: string): string {
  return text.replaceAll(/method not found/gi, "method was not found").replaceAll("-32601", "32601")
    .replaceAll("not implemented", "unimplemented");
}
