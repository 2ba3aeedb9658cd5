/**
 * What the system says of connections to servers, and why a statement was stopped: the same for every server's protocol.
 */
import { Fault } from "../base/fault.ts";

/** A connection that could not be made, or has ended; `message` is a phrase of ours that may be shown. */
export class ConnectionProblem extends Error {}

const SILENT = "the server does not answer. Check the host, the port and the network.";
const NO_WAY = "the network has no way to that host. Check the host and the network.";

const STATES: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing accepts connections at that host and port. Check that the server runs."],
  ["ENOENT", "there is no such socket. Check that the server runs and where its socket is."],
  ["EACCES", "the socket may not be opened by this user. Check its permissions."],
  ["ENOTFOUND", "the host name is unknown. Check its spelling."],
  ["ETIMEDOUT", SILENT],
  ["EHOSTUNREACH", NO_WAY],
  ["ENETUNREACH", NO_WAY],
]);

/**
 * Why there is no connection and what to do next, after "Cannot …: ". `more`: by the codes of the engine's library.
 */
export function connectionState(
  error: unknown,
  { code, more }: { readonly code: string; readonly more: ReadonlyMap<string, string> },
): string {
  if (isTimeout(error)) return SILENT;
  return STATES.get(code) ?? more.get(code) ?? "the connection to the server was lost. Run it again.";
}

/** The same for a problem of ours. */
export function problemState(problem: string): string {
  return `${problem}. Check the host, the port and the TLS mode.`;
}

/** Why a statement was stopped from outside, by the reason of its aborted signal. */
export function stopFault(reason: unknown): Fault {
  if (reason instanceof Fault) return reason;
  return isTimeout(reason)
    ? new Fault("timeout", "Cannot run the statement: it took longer than allowed. Ask for less.")
    : new Fault("cancelled", "The statement was cancelled.");
}

/** Whether a signal aborted because time had run out. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
