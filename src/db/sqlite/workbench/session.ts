/**
 * A person's own SQLite process: one connection on which transactions stay open between statements. The processes that
 * guarded statements share are pool.ts's.
 */
import { Deadline, LONGEST_MS } from "../../deadline.ts";
import type { Cursor } from "../../driver.ts";
import type { WorkSession } from "../../workbench.ts";
import { SqliteCursor } from "../cursor.ts";
import { findFile } from "../database_file.ts";
import { SqliteProcess } from "../process.ts";
import { type Owner, Run } from "../run.ts";
import type { ProcessOptions } from "../spawn.ts";

/** How long a closed process may take to be gone, in milliseconds. */
const CLOSE_MS = 500;
/** Statements that set something which only the end of the connection undoes. */
const SETTING = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:pragma|attach|detach|create\s+temp)/i;

export interface SessionOptions extends ProcessOptions {
  readonly statementMs: number;
}

export class SqliteSession implements WorkSession, Owner {
  readonly #options: SessionOptions;
  readonly #process: SqliteProcess;
  /** The last statement; it knows what the process said at its end. */
  #last: Run | undefined;
  #isChanged = false;
  readonly isClosed = false;

  /** Throws Fault: unreachable, bad_target. */
  constructor(options: SessionOptions) {
    this.#options = options;
    this.#process = new SqliteProcess({ ...options, path: findFile(options.path).realPath });
  }

  get isOpen(): boolean {
    return this.#process.isAlive;
  }

  async run(sql: string, signal: AbortSignal): Promise<Cursor> {
    const ms = Math.min(this.#options.statementMs, LONGEST_MS);
    const deadline = new Deadline(signal, { ms, what: "the statement" });
    this.#process.work();
    this.#isChanged ||= SETTING.test(sql);
    const run = new Run(this.#process, { owner: this, bounds: deadline });
    this.#last = run;
    return new SqliteCursor(run, await run.begin({ sql, work: true }));
  }

  inTransaction(): Promise<boolean> {
    return Promise.resolve(this.isOpen && (this.#last?.inTransaction ?? false));
  }

  async reset(): Promise<void> {
    if (this.#isChanged) return await this.close();
    if (!await this.inTransaction()) return;
    try {
      await (await this.run("ROLLBACK", AbortSignal.timeout(CLOSE_MS))).close();
    } catch {
      this.destroy();
    }
  }

  destroy(): void {
    this.#process.kill();
  }

  async close(): Promise<void> {
    if (this.isOpen) this.#process.end();
    const timer = setTimeout(() => this.#process.kill(), CLOSE_MS);
    await this.#process.ended;
    clearTimeout(timer);
  }

  giveBack(process: SqliteProcess): void {
    if (process.isAlive) process.rest();
  }
}
