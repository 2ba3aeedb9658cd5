/**
 * The servers that a target names, tried in their order.
 */
import type { Fault } from "../../base/fault.ts";
import type { Server } from "../driver.ts";
import { isConnectionLoss } from "./faults.ts";
import { type Login, Session } from "./session.ts";
import type { Endpoint } from "./socket.ts";

/** Where PostgreSQL is when nobody says where: the sockets of its packages, then this machine's port. */
const DEFAULT_HOSTS = ["/var/run/postgresql", "/tmp", "localhost"].map((host) => ({ host, port: 5432 }));

/** What is wrong with a session; undefined for one that will do. */
type Check = (session: Session) => Promise<Fault | undefined>;

export class Hosts {
  readonly #endpoints: readonly Endpoint[];
  readonly #login: Login;

  /** `options`: settings of each session, as `-c name=value`. */
  constructor({ hosts, tls, user, password, database }: Server, options?: string) {
    this.#endpoints = (hosts.length > 0 ? hosts : DEFAULT_HOSTS).map((place) => ({ ...place, tls }));
    this.#login = {
      ...user === undefined ? {} : { user },
      ...password === undefined ? {} : { password },
      ...database === undefined ? {} : { database },
      ...options === undefined ? {} : { options },
    };
  }

  /**
   * A session on the first that can be reached and that `check` lets pass. One that refuses the login ends the search, as with
   * libpq. Throws Fault: what the last one said.
   */
  async connect(signal: AbortSignal, { check }: { check?: Check } = {}): Promise<Session> {
    let failure: unknown;
    for (const endpoint of this.#endpoints) {
      try {
        const session = await Session.open(endpoint, { login: this.#login, signal });
        const fault = await check?.(session);
        if (fault === undefined) return session;
        failure = fault;
        await session.close();
      } catch (error) {
        if (signal.aborted || !isConnectionLoss(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}
