/**
 * The host's editor tabs: a tab whose run leaves a transaction open keeps its session until the transaction ends, the tab
 * closes or nobody has touched it for long.
 */
import { Fault } from "../../base/fault.ts";
import type { Work } from "../../db/work.ts";
import type { WorkSession } from "../../db/workbench.ts";
import type { Settings } from "./settings.ts";

/** Sessions that are left to requests without a tab. */
const RESERVE = 2;

interface Tab {
  /** Kept while a transaction is open. */
  session?: WorkSession;
  /** Settles when the run before has ended. */
  turn: Promise<void>;
  waiting: number;
  lastUse: number;
  /** The host has closed the tab: what waits for its turn is not begun. */
  isReleased?: true;
  /** Stops the run at hand. */
  stop?: AbortController;
}

export interface TabRun<Result> {
  readonly result: Result;
  readonly in_transaction: boolean;
}

export class Tabs {
  readonly #work: Work;
  readonly #settings: Settings;
  readonly #tabs = new Map<string, Tab>();

  constructor(work: Work, settings: Settings) {
    this.#work = work;
    this.#settings = settings;
  }

  get isEmpty(): boolean {
    return this.#tabs.size === 0;
  }

  /** A run of some tab goes on. */
  get isRunning(): boolean {
    return [...this.#tabs.values()].some(({ waiting }) => waiting > 0);
  }

  /** Does the work on the tab's session, after the runs before it. `isKept`: a transaction of the tab is open already. */
  async run<Result>(
    id: string,
    signal: AbortSignal,
    { work }: {
      work: (session: WorkSession, run: { signal: AbortSignal; isKept: boolean }) => Promise<Result>;
    },
  ): Promise<TabRun<Result>> {
    const known = this.#tabs.get(id);
    const tab: Tab = known && !known.isReleased
      ? known
      : { turn: Promise.resolve(), waiting: 0, lastUse: Date.now() };
    this.#tabs.set(id, tab);
    tab.waiting++;
    const before = tab.turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    tab.turn = promise;
    try {
      await before;
      if (tab.isReleased) throw released();
      tab.stop = new AbortController();
      return await this.#runNow(tab, { signal: AbortSignal.any([signal, tab.stop.signal]), work });
    } finally {
      delete tab.stop;
      tab.waiting--;
      tab.lastUse = Date.now();
      const isOver = tab.session === undefined && tab.waiting === 0;
      if (isOver && this.#tabs.get(id) === tab) this.#tabs.delete(id);
      resolve();
    }
  }

  /** Stops what runs, and undoes what is open. */
  async release(id: string): Promise<void> {
    const tab = this.#tabs.get(id);
    if (tab === undefined) return;
    tab.isReleased = true;
    tab.stop?.abort(released());
    await tab.turn;
    const { session } = tab;
    delete tab.session;
    if (this.#tabs.get(id) === tab) this.#tabs.delete(id);
    if (session) await this.#work.release(session);
  }

  /** Undoes what tabs have left open for too long. */
  async releaseIdle(): Promise<void> {
    const longAgo = Date.now() - this.#settings.sessionIdleMs;
    const idle = [...this.#tabs].filter(([, { waiting, lastUse }]) => waiting === 0 && lastUse < longAgo);
    for (const [id] of idle) await this.release(id);
  }

  async #runNow<Result>(
    tab: Tab,
    { signal, work }: {
      signal: AbortSignal;
      work: (session: WorkSession, run: { signal: AbortSignal; isKept: boolean }) => Promise<Result>;
    },
  ): Promise<TabRun<Result>> {
    const kept = tab.session;
    if (kept !== undefined && !kept.isOpen) {
      await this.#letGo(tab, kept);
      throw lost();
    }
    const session = kept ?? await this.#work.acquire(signal);
    try {
      const result = await work(session, { signal, isKept: kept !== undefined });
      const in_transaction = await session.inTransaction();
      await this.#keep(tab, { session, isOpen: in_transaction });
      return { result, in_transaction };
    } catch (error) {
      const isOpen = session.isOpen && await session.inTransaction().catch(() => false);
      await this.#keep(tab, { session, isOpen });
      throw kept !== undefined && !session.isOpen ? lostBy(error) : error;
    }
  }

  async #keep(tab: Tab, { session, isOpen }: { session: WorkSession; isOpen: boolean }): Promise<void> {
    if (!isOpen) return await this.#letGo(tab, session);
    const most = Math.max(1, this.#settings.poolMaxSize - RESERVE);
    const kept = [...this.#tabs.values()].filter((each) => each.session !== undefined && each !== tab).length;
    if (kept >= most) {
      await this.#letGo(tab, session);
      throw new Fault(
        "busy",
        `Cannot keep the transaction open: ${kept} tabs have one open already, and it was rolled back. Commit or roll ` +
          "back in another tab first, or raise poolMaxSize.",
      );
    }
    tab.session = session;
  }

  async #letGo(tab: Tab, session: WorkSession): Promise<void> {
    delete tab.session;
    await this.#work.release(session);
  }
}

function released(): Fault {
  return new Fault("cancelled", "The run was stopped: its tab was closed.");
}

const LOST = "the connection was lost; the open transaction was rolled back by the server";

function lost(): Fault {
  return new Fault("unreachable", `Cannot go on with the transaction: ${LOST}. Begin it again.`);
}

function lostBy(error: unknown): Fault {
  const why = error instanceof Fault ? error : lost();
  const { message } = lost();
  if (why.server === undefined) return new Fault(why.code, `${why.message} ${message}`);
  return new Fault(why.code, why.message, {
    server: { ...why.server, message: `${why.server.message}\n${message}` },
  });
}
