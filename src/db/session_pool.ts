/**
 * The connections of one database server: opened when needed, kept for the next statement, closed when nobody needs
 * them. It knows no engine, no transaction and no statement.
 */
import { Fault } from "../base/fault.ts";

/** What the pool must know of a connection. */
export interface PooledSession {
  readonly isOpen: boolean;
  /** Ends the connection at once. */
  destroy(): void;
  /** Ends an unused connection politely, in a bounded time. */
  close(): Promise<void>;
}

/** How many connections may be open at once, if the engine says nothing else. */
const POOL_SIZE = 8;
/** How many callers may wait for a connection at once. */
const WAITING = 1000;
/** How long a connection may lie unused, in milliseconds. */
const IDLE_MS = 60_000;

export class SessionPool<Session extends PooledSession> {
  readonly #openSession: (signal: AbortSignal) => Promise<Session>;
  readonly #size: number;
  readonly #idleMs: number;
  /** The one used last stands last. */
  #idle: Session[] = [];
  readonly #busy = new Set<Session>();
  #opening = 0;
  readonly #waiting = new Set<() => void>();
  readonly #closed = new AbortController();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: (signal: AbortSignal) => Promise<Session>, { size = POOL_SIZE, idleMs = IDLE_MS } = {}) {
    this.#openSession = open;
    this.#size = size;
    this.#idleMs = idleMs;
  }

  /** A connection for the caller alone, until released. `isFresh` tells that the server has just answered on it. */
  async acquire(signal: AbortSignal): Promise<{ session: Session; isFresh: boolean }> {
    for (;;) {
      this.#closed.signal.throwIfAborted();
      signal.throwIfAborted();
      const session = this.#takeIdle();
      if (session) return { session, isFresh: false };
      if (this.#busy.size + this.#opening < this.#size) {
        return { session: await this.#open(signal), isFresh: true };
      }
      await this.#turn(signal);
    }
  }

  /** Takes a connection back; one that has ended is forgotten. */
  release(session: Session): void {
    this.#busy.delete(session);
    if (this.#closed.signal.aborted) return session.destroy();
    if (session.isOpen) this.#idle.push(session);
    this.#watchIdle();
    this.#wakeOne();
  }

  /** Ends all connections, also those in use. */
  async close(): Promise<void> {
    this.#closed.abort(new Fault("closed", "Cannot use the database: it has been closed."));
    clearTimeout(this.#idleTimer);
    for (const wake of this.#waiting) wake();
    for (const session of this.#busy) session.destroy();
    await Promise.all(this.#idle.splice(0).map((session) => session.close()));
  }

  #takeIdle(): Session | undefined {
    this.#idle = this.#idle.filter((session) => session.isOpen);
    const session = this.#idle.pop();
    if (session) this.#busy.add(session);
    return session;
  }

  async #open(signal: AbortSignal): Promise<Session> {
    this.#opening++;
    try {
      const session = await this.#openSession(AbortSignal.any([signal, this.#closed.signal]));
      this.#busy.add(session);
      return session;
    } catch (error) {
      this.#wakeOne();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  /** Waits until a connection may be free. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= WAITING) {
      throw new Fault(
        "busy",
        "Cannot run the statement: too many are waiting for a connection. Try again later.",
      );
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const leave = () => resolve();
    signal.addEventListener("abort", leave, { once: true });
    await promise;
    signal.removeEventListener("abort", leave);
    this.#waiting.delete(resolve);
    // a turn that an aborted caller was given belongs to the next one
    if (signal.aborted) this.#wakeOne();
  }

  #wakeOne(): void {
    const [first] = this.#waiting;
    if (!first) return;
    this.#waiting.delete(first);
    first();
  }

  #watchIdle(): void {
    clearTimeout(this.#idleTimer);
    const closeIdle = () => this.#idle.splice(0).forEach((session) => void session.close());
    const timer = setTimeout(closeIdle, this.#idleMs);
    Deno.unrefTimer(timer);
    this.#idleTimer = timer;
  }
}
