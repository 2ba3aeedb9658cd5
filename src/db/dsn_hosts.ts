/**
 * The hosts of a server's URL: one or several, names, addresses and sockets, with their ports.
 */
import type { Server } from "./driver.ts";
import type { Parameters } from "./dsn_parameters.ts";
import { decode, type Dialing, malformed } from "./dsn_text.ts";

/** Hosts and ports of the address, or of the parameters, which go first. None: the engine's own default place. */
export function parseHosts(
  text: string,
  { parameters, dialing }: { parameters: Parameters; dialing: Dialing },
): Server["hosts"] {
  const socket = parameters.socket ?? parameters.unixsocket;
  if (socket !== undefined) return [{ host: socket, port: dialing.port }];
  const ports = parameters.port?.split(",") ?? [];
  const written = parameters.host?.split(",").map((host) => ({ host, port: undefined })) ??
    text.split(",").map((place) => splitPlace(place, dialing));
  return written.flatMap(({ host, port }, index) => {
    if (host === "" && written.length === 1 && port === undefined && ports.length === 0) return [];
    if (/[\s\0@]/.test(host)) throw malformed(dialing, "a host name in it is none");
    const digits = port ?? ports[index] ?? ports[0];
    return [{ host: host || "localhost", port: digits ? toPort(digits, dialing) : dialing.port }];
  });
}

function splitPlace(place: string, dialing: Dialing): { host: string; port: string | undefined } {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(place);
  if (match === null) throw malformed(dialing, "a host name in it is none");
  return { host: decode(match[1] ?? match[2] ?? "", dialing), port: match[3] };
}

function toPort(digits: string, dialing: Dialing): number {
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0;
  if (port < 1 || port > 65535) throw malformed(dialing, "a port in it is no number from 1 to 65535");
  return port;
}
