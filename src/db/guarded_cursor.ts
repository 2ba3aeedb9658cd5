/**
 * A cursor behind the guard: it hands out no more rows than the cap, knows whether there were more, and ends in time.
 */
import { settle } from "../base/settle.ts";
import { type Deadline, GRACE_MS } from "./deadline.ts";
import type { Column, Cursor, LimitReport } from "./driver.ts";
import type { LimitedStatement } from "./limit.ts";
import type { Row, WrittenRow } from "./values.ts";

/** How long a statement may go on once its first row is there. */
const STREAMING = { ms: 600_000, what: "reading the rows" };

interface Guards {
  readonly deadline: Deadline;
  readonly limited: LimitedStatement;
  /** A statement that writes is read to its end, since stopping it would undo it. */
  readonly mustEnd: boolean;
}

export class GuardedCursor implements Cursor {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly written: AsyncIterable<readonly WrittenRow[]> | undefined;
  readonly limit: LimitReport;
  readonly #inner: Cursor;
  readonly #guards: Guards;
  #truncated = false;

  constructor(inner: Cursor, guards: Guards) {
    this.columns = inner.columns;
    this.#inner = inner;
    this.#guards = guards;
    this.batches = this.#read(inner.batches);
    this.written = inner.written && this.#read(inner.written);
    const isTruncated = () => this.#truncated;
    this.limit = {
      added: guards.limited.added,
      get truncated() {
        return isTruncated();
      },
    };
  }

  get affected(): number | undefined {
    return this.#inner.affected;
  }

  async close(): Promise<void> {
    await this.#stop(this.#inner.close());
  }

  async *#read<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[]> {
    const { deadline, limited, mustEnd } = this.#guards;
    const rows = batches[Symbol.asyncIterator]();
    let left = limited.cap;
    let isEnded = false;
    let isBegun = false;
    const next = () => {
      isBegun = true;
      return rows.next();
    };
    try {
      for (let isFirst = true;; isFirst = false) {
        const { done, value } = await deadline.wait(next);
        isEnded = done === true;
        if (done) return;
        if (isFirst) deadline.extend(STREAMING);
        if (value.length > left) this.#truncated = true;
        const batch = value.length > left ? value.slice(0, left) : value;
        left -= batch.length;
        if (batch.length > 0) yield batch;
        if (this.#truncated && !mustEnd) return;
      }
    } finally {
      if (isEnded) deadline.end();
      // Rows that nobody has asked for yet close nothing when they are left.
      else await this.#stop(isBegun ? Promise.resolve(rows.return?.()) : this.#inner.close());
    }
  }

  /** An engine that the signal has stopped already is not waited for again. */
  async #stop(stopping: Promise<unknown>): Promise<void> {
    const { deadline } = this.#guards;
    if (deadline.signal.aborted) stopping.catch(() => {});
    else await settle(stopping, { ms: GRACE_MS });
    deadline.end();
  }
}
