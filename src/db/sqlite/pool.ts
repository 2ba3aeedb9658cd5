/**
 * The SQLite processes of one database. A statement has a process for itself until its last row, so that ending one
 * disturbs no other; a few may run at once, more wait their turn.
 */
import { Fault } from "../../base/fault.ts";
import { SqliteProcess } from "./process.ts";
import type { ProcessOptions } from "./spawn.ts";

/** Processes at once; each takes some 20 MB. */
const MAX_PROCESSES = 4;
/** Statements that may wait for one. */
const MAX_WAITING = 256;
/** How long a process may be idle before it is let go, and the file with it, in milliseconds. */
const IDLE_MS = 60_000;
/** How long closing waits for processes to be gone, in milliseconds. */
const CLOSE_MS = 900;

type Waiter = PromiseWithResolvers<SqliteProcess>;

export interface PoolOptions extends ProcessOptions {
  readonly idleMs?: number;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #max: number;
  readonly #all = new Set<SqliteProcess>();
  readonly #idle: SqliteProcess[] = [];
  readonly #timers = new Map<SqliteProcess, ReturnType<typeof setTimeout>>();
  readonly #waiting = new Set<Waiter>();
  #isClosed = false;

  /** Starts the first process, so that it is ready when it is needed. Throws Fault `unreachable`. */
  constructor(options: PoolOptions) {
    this.#options = options;
    // A database in memory lives in its process.
    this.#max = options.path === ":memory:" ? 1 : MAX_PROCESSES;
    this.giveBack(this.#start());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A process for one statement; it must be given back. Rejects with the signal's reason, and Fault: closed, busy. */
  async take(signal: AbortSignal): Promise<SqliteProcess> {
    const process = await this.#find(signal);
    process.work();
    return process;
  }

  async #find(signal: AbortSignal): Promise<SqliteProcess> {
    signal.throwIfAborted();
    if (this.#isClosed) throw closed();
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      this.#stopTimer(idle);
      if (idle.isAlive) return idle;
    }
    return this.#all.size < this.#max ? this.#start() : await this.#wait(signal);
  }

  /** Takes back a process that is idle again, or was killed. */
  giveBack(process: SqliteProcess): void {
    if (!process.isAlive) return;
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next.resolve(process);
      return;
    }
    process.rest();
    this.#idle.push(process);
    if (this.#options.path === ":memory:") return;
    const timer = setTimeout(() => this.#release(process), this.#options.idleMs ?? IDLE_MS);
    Deno.unrefTimer(timer);
    this.#timers.set(process, timer);
  }

  /** Kills what is busy, lets go what is idle, and waits a moment for all to be gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting) waiter.reject(closed());
    this.#waiting.clear();
    const all = [...this.#all];
    for (const process of all) {
      this.#stopTimer(process);
      process.kill();
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([bound, Promise.all(all.map((process) => process.ended))]);
    clearTimeout(timer);
  }

  #start(): SqliteProcess {
    const process = new SqliteProcess(this.#options);
    this.#all.add(process);
    process.ended.then(() => this.#forget(process));
    return process;
  }

  /** A process is gone: one of those who wait may have a new one. */
  #forget(process: SqliteProcess): void {
    this.#all.delete(process);
    this.#stopTimer(process);
    const [next] = this.#waiting;
    if (next === undefined || this.#all.size >= this.#max) return;
    this.#waiting.delete(next);
    try {
      next.resolve(this.#start());
    } catch (error) {
      next.reject(error);
    }
  }

  async #wait(signal: AbortSignal): Promise<SqliteProcess> {
    if (this.#waiting.size >= MAX_WAITING) {
      const state = `${MAX_WAITING} statements wait already`;
      throw new Fault("busy", `Cannot run the statement: ${state}. Try again when some have ended.`);
    }
    const waiter: Waiter = Promise.withResolvers();
    const abort = () => {
      this.#waiting.delete(waiter);
      waiter.reject(signal.reason);
    };
    this.#waiting.add(waiter);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await waiter.promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #release(process: SqliteProcess): void {
    this.#timers.delete(process);
    const index = this.#idle.indexOf(process);
    if (index >= 0) this.#idle.splice(index, 1);
    process.end();
  }

  #stopTimer(process: SqliteProcess): void {
    clearTimeout(this.#timers.get(process));
    this.#timers.delete(process);
  }
}

function closed(): Fault {
  return new Fault("closed", "Cannot run the statement: the database was closed.");
}
