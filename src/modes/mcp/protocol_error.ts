/**
 * A failure as the protocol's error, for requests that are no tool calls: those answer with a result that tells it.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { toFault } from "../../base/fault.ts";
import type { Log } from "../../base/log.ts";
import { faultText } from "./fault_text.ts";

/** `what`: the request's method. */
export function protocolError(error: unknown, { what, log }: { what: string; log: Log }): ProtocolError {
  const fault = toFault(error);
  if (fault.code === "internal") log(`${what} failed.`, { level: "error", error: fault });
  return new ProtocolError(ProtocolErrorCode.InternalError, faultText(fault));
}
