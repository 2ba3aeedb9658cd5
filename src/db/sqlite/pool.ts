/**
 * The SQLite processes of one database. A statement has a process for itself until its last row, so that ending one
 * disturbs no other; a few may run at once, more wait their turn.
 */
import { Fault, toFault } from "../../base/fault.ts";
import { settle } from "../../base/settle.ts";
import { fileId, findFile } from "./database_file.ts";
import { SqliteProcess } from "./process.ts";
import type { ProcessOptions } from "./spawn.ts";
import { WaitingLine } from "./waiting_line.ts";

/** Processes at once; each takes some 20 MB. */
const MAX_PROCESSES = 4;
/** How long a process may be idle before it is let go, and the file with it, in milliseconds. */
const IDLE_MS = 60_000;
/** How long closing waits for processes to be gone, in milliseconds. */
const CLOSE_MS = 900;

export interface PoolOptions extends ProcessOptions {
  readonly idleMs?: number;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #max: number;
  /** Every process that is not known to be gone, and which file it has opened or will. */
  readonly #files = new Map<SqliteProcess, string>();
  /** Those without work, and since when, in the order in which they became so. */
  readonly #idle = new Map<SqliteProcess, number>();
  /** Lets go of those that are idle for too long; it is set while there are any. */
  #sweeping: ReturnType<typeof setTimeout> | undefined;
  readonly #line = new WaitingLine<SqliteProcess>();
  #isClosed = false;

  /** Starts the first process, so that it is ready when it is needed. Throws Fault: unreachable, bad_target. */
  constructor(options: PoolOptions) {
    this.#options = options;
    // A database in memory lives in its process.
    this.#max = options.path === ":memory:" ? 1 : MAX_PROCESSES;
    this.giveBack(this.#start());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * A process for one statement; it must be given back. Rejects with Fault: cancelled, closed, busy, bad_target,
   * unreachable.
   */
  async take(signal: AbortSignal): Promise<SqliteProcess> {
    if (signal.aborted) throw toFault(signal.reason);
    if (this.#isClosed) throw closed();
    const process = this.#takeIdle() ??
      (this.#files.size < this.#max ? this.#start() : await this.#line.wait(signal));
    process.work();
    return process;
  }

  /** Whether a process has the file which the path names now. Throws Fault `bad_target` when there is none. */
  isCurrent(process: SqliteProcess): boolean {
    return this.#files.get(process) === fileId(this.#options.path);
  }

  /** Takes back a process that is idle again, or was killed. */
  giveBack(process: SqliteProcess): void {
    if (!process.isAlive) return;
    const next = this.#line.next();
    if (next !== undefined) return next.resolve(process);
    process.rest();
    this.#idle.set(process, performance.now());
    this.#sweeping ??= this.#sweepIn(this.#options.idleMs ?? IDLE_MS);
  }

  /** Kills what is busy, lets go what is idle, and waits a moment for all to be gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let next = this.#line.next(); next !== undefined; next = this.#line.next()) next.reject(closed());
    clearTimeout(this.#sweeping);
    for (const process of this.#idle.keys()) this.#release(process);
    const all = [...this.#files.keys()];
    for (const process of all) if (process.isAlive) process.kill();
    await settle(Promise.all(all.map((process) => process.ended)), { ms: CLOSE_MS });
  }

  /** An idle process that has the file which the path names now; those that have another are let go. */
  #takeIdle(): SqliteProcess | undefined {
    const id = fileId(this.#options.path);
    for (const process of [...this.#idle.keys()].reverse()) {
      if (!process.isAlive || this.#files.get(process) !== id) this.#release(process);
      else {
        this.#idle.delete(process);
        return process;
      }
    }
    return undefined;
  }

  #start(): SqliteProcess {
    const { realPath, id } = findFile(this.#options.path);
    const process = new SqliteProcess({ ...this.#options, path: realPath });
    this.#files.set(process, id);
    process.ended.then(() => this.#replace(process));
    return process;
  }

  /** A process is gone: who waits longest may have a new one. */
  #replace(process: SqliteProcess): void {
    this.#files.delete(process);
    this.#idle.delete(process);
    const next = this.#files.size < this.#max ? this.#line.next() : undefined;
    if (next !== undefined) Promise.try(() => this.#start()).then(next.resolve, next.reject);
  }

  /** One timer for all: setting one for each statement costs as much as judging it. */
  #sweepIn(ms: number): ReturnType<typeof setTimeout> | undefined {
    if (this.#options.path === ":memory:") return undefined;
    const timer = setTimeout(() => this.#sweep(), ms);
    Deno.unrefTimer(timer);
    return timer;
  }

  #sweep(): void {
    const { idleMs = IDLE_MS } = this.#options;
    const late = performance.now() - idleMs;
    for (const [process, since] of this.#idle) if (since <= late) this.#release(process);
    const [next] = this.#idle.values();
    this.#sweeping = next === undefined ? undefined : this.#sweepIn(next - late);
  }

  #release(process: SqliteProcess): void {
    this.#idle.delete(process);
    if (process.isAlive) process.end();
  }
}

function closed(): Fault {
  return new Fault("closed", "Cannot run the statement: the database was closed.");
}
