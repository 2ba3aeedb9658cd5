/**
 * Sockets to MySQL servers, and the certificates that TLS on them needs. The library encrypts a socket itself, in the
 * middle of its login.
 */
import net from "node:net";
import type { SslOptions } from "mysql2";
import { Fault } from "../../base/fault.ts";
import type { Tls } from "../driver.ts";

export interface Endpoint {
  /** A host name or address, or the file of a Unix socket when it starts with "/". */
  readonly host: string;
  readonly port: number;
  readonly tls: Tls;
}

export function isLocal({ host }: Endpoint): boolean {
  return host.startsWith("/");
}

/** A connected socket. Throws the system's error. */
export async function openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<net.Socket> {
  const socket = isLocal(endpoint)
    ? net.connect({ path: endpoint.host })
    : net.connect({ host: endpoint.host, port: endpoint.port });
  try {
    await connected(socket, signal);
    if (!isLocal(endpoint)) {
      socket.setKeepAlive(true, 60_000);
      socket.setNoDelay(true);
    }
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function connected(socket: net.Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    socket.once("connect", resolve);
    socket.once("error", reject);
    if (signal.aborted) stop();
  });
}

/**
 * What the library needs to encrypt; undefined for a plain connection. `require` verifies the chain when it is given an
 * authority; a Unix socket is never encrypted. Throws Fault `bad_target`.
 */
export async function encryption(endpoint: Endpoint): Promise<SslOptions | undefined> {
  const { mode, ca, cert, key } = endpoint.tls;
  if (mode === "disable" || isLocal(endpoint)) return undefined;
  if (mode === "verify-full" && net.isIP(endpoint.host) !== 0) {
    // the library would compare the certificate with the name "localhost"
    throw new Fault(
      "bad_target",
      "Cannot verify the server's identity: the host is an address, and the certificate is compared with a name. " +
        "Use the name in the server's certificate, or the TLS mode verify-ca.",
    );
  }
  return {
    rejectUnauthorized: mode.startsWith("verify") || (mode === "require" && ca !== undefined),
    verifyIdentity: mode === "verify-full",
    ...ca === undefined ? {} : { ca: await readPem(ca) },
    ...cert === undefined ? {} : { cert: await readPem(cert) },
    ...key === undefined ? {} : { key: await readPem(key) },
  };
}

async function readPem(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    const file = JSON.stringify(path);
    const says = "it is not there or may not be read. Check the path.";
    throw new Fault("bad_target", `Cannot read the TLS file ${file}: ${says}`, { cause });
  }
}
