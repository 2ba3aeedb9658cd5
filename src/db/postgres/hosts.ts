/**
 * The servers that a target names, tried in their order.
 */
import type { Server } from "../driver.ts";
import { isConnectionLoss } from "./faults.ts";
import { type Login, Session } from "./session.ts";
import type { Endpoint } from "./socket.ts";

/** Where PostgreSQL is when nobody says where: the sockets of its packages, then this machine's port. */
const DEFAULT_HOSTS = ["/var/run/postgresql", "/tmp", "localhost"].map((host) => ({ host, port: 5432 }));

export class Hosts {
  readonly #endpoints: readonly Endpoint[];
  readonly #login: Login;

  constructor({ hosts, tls, user, password, database }: Server) {
    this.#endpoints = (hosts.length > 0 ? hosts : DEFAULT_HOSTS).map((place) => ({ ...place, tls }));
    this.#login = {
      ...user === undefined ? {} : { user },
      ...password === undefined ? {} : { password },
      ...database === undefined ? {} : { database },
    };
  }

  /**
   * A session on the first that can be reached. One that refuses the login ends the search, as with libpq.
   * Throws Fault: what the last one said.
   */
  async connect(signal: AbortSignal): Promise<Session> {
    let failure: unknown;
    for (const endpoint of this.#endpoints) {
      try {
        return await Session.open(endpoint, { login: this.#login, signal });
      } catch (error) {
        if (signal.aborted || !isConnectionLoss(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}
