/**
 * Sockets to PostgreSQL servers: TCP or Unix, TLS with real verification, and the request that cancels a statement.
 * The library's own connecting is not used: it retries for ever on a server that closes at once, and sends a cancel
 * request to the first host whichever host is in use.
 */
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { type Certificates, readCertificates } from "../certificates.ts";
import type { Tls } from "../driver.ts";
import { beneathTls, PacedStream } from "../paced_stream.ts";
import { ConnectionProblem } from "../connection_faults.ts";

export interface Endpoint {
  /** A host name or address, or the folder of a Unix socket when it starts with "/". */
  readonly host: string;
  readonly port: number;
  readonly tls: Tls;
}

/** What a server told about a session so that it can be cancelled from outside. */
export interface CancelKey {
  readonly pid: number;
  readonly secret: number;
}

/** How long one host may take to answer before the next one is tried. */
export const CONNECT_MS = 10_000;

/** How long a connection may be silent before the system asks whether the other end is still there. */
const KEEP_ALIVE_MS = 60_000;

/** A socket to talk on, and what lies beneath its encryption where that can be held. */
export interface Line {
  readonly socket: net.Socket;
  readonly beneath?: PacedStream;
}

/**
 * A socket on which the server awaits the first message. Throws ConnectionProblem, the system's error, or Fault
 * `bad_target`.
 */
export async function openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<Line> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  const certificates = await readCertificates(endpoint.tls);
  const isLocal = endpoint.host.startsWith("/");
  const socket = isLocal
    ? net.connect({ path: `${endpoint.host}/.s.PGSQL.${endpoint.port}` })
    : net.connect({ host: endpoint.host, port: endpoint.port });
  try {
    await nextEvent(socket, { event: "connect", signal: bounded });
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    // like libpq: a Unix socket is never encrypted
    if (isLocal || endpoint.tls.mode === "disable") return { socket };
    return await encrypt(socket, { endpoint, certificates, signal: bounded });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Asks the server to stop what a session runs. Resolves when the server has taken note. */
export async function requestCancel(endpoint: Endpoint, { pid, secret }: CancelKey): Promise<void> {
  const signal = AbortSignal.timeout(CONNECT_MS);
  const { socket } = await openSocket(endpoint, signal);
  try {
    const closed = once(socket, "close", { signal });
    socket.write(message([16, 80877102, pid, secret]));
    socket.resume();
    await closed;
  } finally {
    socket.destroy();
  }
}

interface Encryption {
  readonly endpoint: Endpoint;
  readonly certificates: Certificates;
  readonly signal: AbortSignal;
}

async function encrypt(
  socket: net.Socket,
  { endpoint, certificates, signal }: Encryption,
): Promise<Line> {
  // at once: Deno 2.7 would read on and take the bytes that belong to the encryption
  socket.once("data", () => socket.pause());
  const answered = nextEvent(socket, { event: "data", signal });
  socket.write(message([8, 80877103]));
  const answer = await answered;
  // more than one byte would be text that somebody slipped in before the encryption began
  const offer = answer instanceof Uint8Array && answer.length === 1
    ? String.fromCharCode(answer[0] ?? 0)
    : "";
  if (offer === "N" && endpoint.tls.mode === "prefer") return { socket: socket.resume() };
  if (offer === "N") throw new ConnectionProblem("the server does not offer TLS");
  if (offer !== "S") throw new ConnectionProblem("the answer is not that of a PostgreSQL server");
  const beneath = beneathTls(socket);
  const encrypted = tls.connect({ socket: beneath, ...verification(endpoint), ...certificates });
  // Deno 2.7 tells of a certificate that it refuses at the first message only
  await nextEvent(encrypted, { event: "secureConnect", signal });
  return { socket: encrypted, ...beneath instanceof PacedStream ? { beneath } : {} };
}

/** As libpq does it, `require` verifies the chain when it is given an authority. */
function verification(endpoint: Endpoint): tls.ConnectionOptions {
  const { mode, ca, serverName: host = endpoint.host } = endpoint.tls;
  const verifies = mode === "verify-full" || mode === "verify-ca" || (mode === "require" && ca !== undefined);
  return {
    host,
    ...net.isIP(host) ? {} : { servername: host },
    rejectUnauthorized: verifies,
    ...verifies && mode !== "verify-full" ? { checkServerIdentity: () => undefined } : {},
  };
}

/** What comes with the event; an error or the end of the socket throws. */
async function nextEvent(
  socket: net.Socket,
  { event, signal }: { event: string; signal: AbortSignal },
): Promise<unknown> {
  const settled = new AbortController();
  const either = { signal: AbortSignal.any([signal, settled.signal]) };
  const closed = once(socket, "close", either).then(() => {
    throw new ConnectionProblem("the server closed the connection");
  });
  try {
    const [value] = await Promise.race([once(socket, event, either), closed]);
    return value;
  } finally {
    settled.abort();
  }
}

function message(words: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, index) => view.setInt32(index * 4, word));
  return new Uint8Array(view.buffer);
}
