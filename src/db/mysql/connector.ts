/**
 * Makes sessions of one target: tries its hosts in order, sets each session up, and stops what a session runs.
 */
import { Fault } from "../../base/fault.ts";
import { settle } from "../../base/settle.ts";
import type { Server } from "../driver.ts";
import { isConnectionLoss } from "./faults.ts";
import type { Login } from "./login.ts";
import { Session } from "./session.ts";
import type { Endpoint } from "./socket.ts";

/** Where a server is when nobody says where: the sockets of its packages, then this machine's port. */
const DEFAULT_HOSTS = ["/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "localhost"]
  .map((host) => ({ host, port: 3306 }));

/** How long one host may take at most, in milliseconds; each of them gets its share of the statement's time. */
const CONNECT_MS = 10_000;

/** How long telling the server to stop a statement is waited for, in milliseconds. */
const KILL_MS = 1000;

export interface ConnectorOptions {
  readonly timeoutMs: number;
  /** Done with each new session before anybody has it. */
  prepare(session: Session): Promise<void>;
}

export class Connector {
  readonly #endpoints: readonly Endpoint[];
  readonly #login: Login;
  readonly #options: ConnectorOptions;

  constructor({ hosts, tls, user, password, database }: Server, options: ConnectorOptions) {
    this.#endpoints = (hosts.length > 0 ? hosts : DEFAULT_HOSTS).map(({ host, port }) => ({
      host,
      port,
      tls,
    }));
    this.#login = {
      ...user === undefined ? {} : { user },
      ...password === undefined ? {} : { password },
      ...database === undefined ? {} : { database },
    };
    this.#options = options;
  }

  /** A session on the first host that can be reached. Throws what the last one said when none can. */
  async connect(signal: AbortSignal): Promise<Session> {
    let failure: unknown = new Fault("internal", "Cannot connect to the database: no host is known.");
    for (const endpoint of this.#endpoints) {
      try {
        return await this.#ready(endpoint, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isConnectionLoss(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Stops what the session runs on its server. Never throws. */
  async kill({ endpoint, threadId, isOpen }: Session): Promise<void> {
    if (isOpen) await settle(this.#kill(endpoint, threadId), { ms: KILL_MS });
  }

  /** A server that is slow to let us in is still told, after the caller has stopped waiting. */
  async #kill(endpoint: Endpoint, threadId: number): Promise<void> {
    const signal = AbortSignal.timeout(CONNECT_MS);
    try {
      const session = await Session.open(endpoint, { login: this.#login, limitMs: CONNECT_MS, signal });
      await session.whole(signal, () => session.rows(`KILL QUERY ${threadId}`));
      await session.destroy();
    } catch {
      // the server can't be reached, or has ended the statement; the caller cuts the connection in any case
    }
  }

  async #ready(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
    const limitMs = Math.min(CONNECT_MS, this.#options.timeoutMs / this.#endpoints.length);
    const session = await Session.open(endpoint, { login: this.#login, limitMs, signal });
    await session.whole(signal, () => this.#options.prepare(session));
    return session;
  }
}
