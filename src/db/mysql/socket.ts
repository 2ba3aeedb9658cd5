/**
 * Sockets to MySQL servers. They are plain: the library encrypts them itself, in the middle of its login.
 */
import net from "node:net";
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
    // Deno 2.7 loses sight of a connection that is destroyed before it is there
    if (socket.connecting) socket.unref().once("connect", () => socket.destroy());
    else await closeSocket(socket);
    throw error;
  }
}

/** Ends a connection at once; resolves when the system has closed it. */
export async function closeSocket(socket: net.Socket): Promise<void> {
  if (socket.closed) return;
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.destroy();
  });
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
