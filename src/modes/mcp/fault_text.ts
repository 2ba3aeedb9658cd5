/**
 * What an MCP client reads of a failure: a stable code and our own sentence. Never a server's text (docs/values.md, Errors).
 */
import type { Fault } from "../../base/fault.ts";

/** `[code] sentence`, with the place in the statement where the server told it. */
export function faultText({ code, message, server }: Fault): string {
  const at = server?.position === undefined ? "" : ` The fault is near character ${server.position}.`;
  return `[${code}] ${message}${at}`;
}
