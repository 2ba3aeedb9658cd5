/**
 * One address that people work on: its connections, and its text as statements and pages. What is asked and changed on
 * them is the caller's; nothing is judged here.
 */
import { nextTurn } from "../base/next_turn.ts";
import { type Page, pageOf, type PageRequest, splitStatements } from "./script.ts";
import { SessionPool } from "./session_pool.ts";
import type { Workbench, WorkSession, WorkSource } from "./workbench.ts";

/** A session that lay unused for longer is asked whether it is alive, in milliseconds, and how long it may take to answer. */
const TRUSTED_MS = 5_000;
const ANSWER_MS = 5_000;

export class Work {
  readonly workbench: Workbench;
  /** When each session was released. */
  readonly #released = new WeakMap<WorkSession, number>();
  readonly #source: WorkSource;
  readonly #pool: SessionPool<WorkSession>;

  /** `size`: connections at once. */
  constructor(workbench: Workbench, source: WorkSource, { size, idleMs }: { size: number; idleMs: number }) {
    this.workbench = workbench;
    this.#source = source;
    this.#pool = new SessionPool((signal) => source.connect(signal), {
      size: Math.min(size, source.most ?? Infinity),
      idleMs,
    });
  }

  /** A connection of the caller's own, until it is released. Throws Fault, and the signal's reason. */
  async acquire(signal: AbortSignal): Promise<WorkSession> {
    await nextTurn(); // what needs no connection and was asked for at the same time is answered first
    for (;;) {
      const { session, isFresh } = await this.#pool.acquire(signal);
      const unused = Date.now() - (this.#released.get(session) ?? 0);
      if (isFresh || unused < TRUSTED_MS || await this.#isAlive(session)) return session;
      session.destroy();
      this.#pool.release(session);
    }
  }

  /** Takes a connection back; what is open on it is undone first. Never throws. */
  async release(session: WorkSession): Promise<void> {
    if (session.isOpen) await session.reset();
    this.#released.set(session, Date.now());
    this.#pool.release(session);
  }

  async #isAlive(session: WorkSession): Promise<boolean> {
    try {
      const cursor = await session.run(this.workbench.version, AbortSignal.timeout(ANSWER_MS));
      for await (const _ of cursor.batches);
      return true;
    } catch {
      return false;
    }
  }

  statements(text: string): readonly string[] {
    return splitStatements(text, this.workbench.lexis);
  }

  page(sql: string, request: PageRequest): Page {
    return pageOf(sql, { ...request, lexis: this.workbench.lexis });
  }

  /** Ends all connections, also those in use. Never throws. */
  async close(): Promise<void> {
    await this.#pool.close();
    await this.#source.close();
  }
}
