/**
 * One statement under way in a SQLite process, and its rows as they come.
 */
import { Fault } from "../../base/fault.ts";
import type { Column, Cursor } from "../driver.ts";
import type { Row } from "../values.ts";
import type { Pool } from "./pool.ts";
import { Run } from "./run.ts";
import type { Part, Statement } from "../sqlite_child/protocol.ts";

export interface StartOptions {
  readonly pool: Pool;
  readonly signal: AbortSignal;
  /** How long until the first rows, or the end, in milliseconds. */
  readonly timeoutMs: number;
}

/** Runs a statement up to its first rows. Every failure is a Fault. */
export async function start(statement: Statement, options: StartOptions): Promise<SqliteCursor> {
  const { pool, signal, timeoutMs } = options;
  const stop = new AbortController();
  const cancel = () => stop.abort(cancelled(signal.reason));
  const timer = setTimeout(() => stop.abort(timedOut(timeoutMs)), timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  let run: Run | undefined;
  try {
    run = new Run(await pool.take(stop.signal), { pool, stop: stop.signal });
    run.onEnd = () => signal.removeEventListener("abort", cancel);
    const first = await run.begin(statement);
    return new SqliteCursor(run, first);
  } catch (error) {
    signal.removeEventListener("abort", cancel);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function cancelled(reason: unknown): Fault {
  return new Fault("cancelled", "The statement was cancelled.", { cause: reason });
}

function timedOut(timeoutMs: number): Fault {
  return new Fault(
    "timeout",
    `Cannot finish the statement: it took longer than ${
      timeoutMs / 1000
    } s. Narrow it, or raise the timeout.`,
  );
}

export class SqliteCursor implements Cursor {
  readonly columns: readonly Column[];
  affected?: number;
  readonly #run: Run;
  #next: Part | undefined;

  constructor(run: Run, first: Part) {
    this.columns = first.columns?.map(([name, type]) => ({ name, type })) ?? [];
    this.#run = run;
    this.#next = first;
    this.#note(first);
  }

  get batches(): AsyncIterable<readonly Row[]> {
    return this.#read();
  }

  close(): Promise<void> {
    this.#next = undefined;
    return this.#run.stop();
  }

  async *#read(): AsyncGenerator<readonly Row[]> {
    try {
      while (this.#next !== undefined) {
        const { rows, done } = this.#next;
        this.#next = undefined;
        if (rows.length > 0) yield rows;
        if (done) return;
        this.#next = await this.#run.more();
        this.#note(this.#next);
      }
    } finally {
      await this.close();
    }
  }

  #note({ affected }: Part): void {
    if (affected !== undefined) this.affected = affected;
  }
}
