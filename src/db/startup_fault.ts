/**
 * What a person is told when a statement failed that is to run first on each of their connections.
 */
import { Fault } from "../base/fault.ts";

/** The server's words, as those about the start. */
export function startupFault({ code, message, server }: Fault): Fault {
  if (server === undefined) return new Fault(code, message);
  return new Fault(code, message, {
    server: { ...server, message: `Startup script failed: ${server.message}` },
  });
}
