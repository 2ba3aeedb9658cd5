/**
 * What --transport and --port of `saber mcp` mean together.
 */
import type { Flags } from "../../args.ts";
import { Fault } from "../../base/fault.ts";

const DEFAULT_PORT = 8000;
const MAX_PORT = 65_535;

/** The port on the loopback interface, 0 for any; undefined for stdin and stdout. Throws Fault `usage`. */
export function httpPort({ transport = "stdio", port }: Flags): number | undefined {
  if (transport !== "stdio" && transport !== "http") {
    throw new Fault("usage", `The transport must be stdio or http, not '${transport}'.`);
  }
  if (transport === "stdio") {
    if (port === undefined) return undefined;
    throw new Fault("usage", "--port belongs to --transport http. Add that, or leave --port out.");
  }
  if (port === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT) return Number(port);
  throw new Fault("usage", `The port must be a whole number from 0 to ${MAX_PORT}, not '${port}'.`);
}
