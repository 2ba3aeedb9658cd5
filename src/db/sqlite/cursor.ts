/**
 * One statement under way in a SQLite process, and its rows as they come.
 */
import { type Bound, Deadline } from "../deadline.ts";
import type { Column, Cursor } from "../driver.ts";
import type { Part, Statement } from "../sqlite_child/protocol.ts";
import type { Row, WrittenRow } from "../values.ts";
import type { Pool } from "./pool.ts";
import { Run } from "./run.ts";

/** How long a statement may go on once its first rows are there. */
const READING: Bound = { ms: 600_000, what: "reading the rows" };

export interface StartOptions {
  readonly pool: Pool;
  readonly signal: AbortSignal;
  /** How long until the first rows, or the end, in milliseconds. */
  readonly timeoutMs: number;
}

/** Runs a statement up to its first rows. Every failure is a Fault. */
export async function start(statement: Statement, options: StartOptions): Promise<SqliteCursor> {
  const { pool, signal, timeoutMs } = options;
  const deadline = new Deadline(signal, { ms: timeoutMs, what: "the statement" });
  try {
    const run = new Run(await pool.take(deadline.signal), { owner: pool, bounds: deadline });
    const first = await run.begin(statement);
    if (!first.done) deadline.extend(READING);
    return new SqliteCursor(run, first);
  } catch (error) {
    deadline.end();
    throw error;
  }
}

export class SqliteCursor implements Cursor {
  readonly columns: readonly Column[];
  affected?: number;
  readonly #run: Run;
  readonly #isWritten: boolean;
  #next: Part | undefined;

  constructor(run: Run, first: Part) {
    this.#isWritten = first.isWritten ?? false;
    this.columns = first.columns?.map(([name, type]) => ({ name, type })) ?? [];
    this.#run = run;
    this.#next = first;
    this.#note(first);
  }

  get batches(): AsyncIterable<readonly Row[]> {
    return this.#read(({ rows }) => rows);
  }

  get written(): AsyncIterable<readonly WrittenRow[]> | undefined {
    return this.#isWritten ? this.#read(({ written = [] }) => written) : undefined;
  }

  close(): Promise<void> {
    this.#next = undefined;
    return this.#run.stop();
  }

  async *#read<Item>(itemsOf: (part: Part) => readonly Item[]): AsyncGenerator<readonly Item[]> {
    try {
      while (this.#next !== undefined) {
        const part = this.#next;
        const items = itemsOf(part);
        this.#next = undefined;
        if (items.length > 0) yield items;
        if (part.done) return;
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
