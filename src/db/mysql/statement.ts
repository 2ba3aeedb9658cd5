/**
 * One statement of a user on a session of its own, from its preparation to its last row; it is stopped on the server
 * when nobody wants it any more. It judges nothing, and what becomes of the session afterwards is the pool's.
 */
import type { Fault } from "../../base/fault.ts";
import { stopFault } from "../connection_faults.ts";
import type { Column, Cursor, FurtherResult } from "../driver.ts";
import type { Row } from "../values.ts";
import { isConnectionLoss, mysqlFault } from "./faults.ts";
import { FurtherResults, ResultRows } from "./result_rows.ts";
import { RowQueue } from "./row_queue.ts";
import type { Session, Sink } from "./session.ts";

export interface StatementOptions {
  readonly signal: AbortSignal;
  /** Until the first row. */
  readonly timeoutMs: number;
  /** Stops what the session runs on the server. Never throws, and takes a bounded time. */
  kill(session: Session): Promise<void>;
  /** Called once: the session is free again, or has ended. */
  release(session: Session): void;
}

/** The connection had ended before the statement was sent; it may be sent on another one. */
export class StaleSession extends Error {}

/** What stands before the first word. */
const LEADING = /^(?:\s|#[^\n]*(?:\n|$)|--(?:\s[^\n]*)?(?:\n|$)|\/\*[^]*?\*\/)*/;

/** A statement that changes rows; some hand them out (INSERT … RETURNING of MariaDB). */
const CHANGES = /^(?:insert|replace|delete|update)\b/i;

/** A statement's text from its first word on. */
export function beginning(sql: string): string {
  return sql.replace(LEADING, "");
}

/**
 * Begins a statement. Resolves with its first row, or with its end when it has none.
 * Throws Fault; StaleSession when nothing was run because the connection had ended.
 */
export async function beginStatement(
  session: Session,
  sql: string,
  options: StatementOptions,
): Promise<Cursor> {
  const statement = new Statement(session, sql, { options });
  await statement.begin();
  return statement;
}

class Statement implements Cursor {
  affected?: number;
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly #session: Session;
  readonly #sql: string;
  readonly #changes: boolean;
  readonly #options: StatementOptions;
  readonly #queue: RowQueue<Row>;
  readonly #begun = Promise.withResolvers<void>();
  readonly #onAbort: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  #first: ResultRows | undefined;
  readonly #further = new FurtherResults();
  #count = 0;
  #isOver = false;
  #stopping: Promise<void> | undefined;

  constructor(session: Session, sql: string, { options }: { options: StatementOptions }) {
    const { signal, timeoutMs } = options;
    this.#session = session;
    this.#sql = sql;
    this.#changes = CHANGES.test(beginning(sql));
    this.#options = options;
    this.#queue = new RowQueue(session);
    this.batches = this.#read();
    this.#onAbort = () => void this.#stop(stopFault(signal.reason));
    this.#timer = setTimeout(
      () => void this.#stop(stopFault(new DOMException("", "TimeoutError"))),
      timeoutMs,
    );
    signal.addEventListener("abort", this.#onAbort);
  }

  get columns(): readonly Column[] {
    return this.#first?.columns ?? [];
  }

  get further(): readonly FurtherResult[] {
    return this.#further.results;
  }

  async begin(): Promise<void> {
    if (this.#options.signal.aborted) this.#onAbort();
    try {
      const prepared = await this.#session.prepare(this.#sql);
      if (this.#stopping === undefined) this.#session.start(prepared, this.#sink());
    } catch (error) {
      this.#fail(isConnectionLoss(error) ? new StaleSession() : this.#fault(error));
    }
    await this.#begun.promise;
  }

  /** A statement that changes rows is let finish; others are stopped on the server. */
  async close(): Promise<void> {
    if (this.#changes) await this.#queue.drain();
    else await this.#stop();
  }

  #sink(): Sink {
    return {
      columns: (fields) => {
        if (this.#first === undefined) this.#first = new ResultRows(fields);
        else this.#further.begin(fields);
      },
      row: (values) => this.#add(values),
      ended: (affected) => this.#end(affected),
      failed: (error) => this.#fail(this.#fault(error)),
    };
  }

  #add(values: readonly unknown[]): void {
    if (this.#count++ === 0) this.#begin();
    if (this.#first === undefined || this.#further.add(values)) return;
    const { row, size } = this.#first.read(values);
    this.#queue.push(row, size);
  }

  /** The statement has begun; from now on it may take its time. */
  #begin(): void {
    clearTimeout(this.#timer);
    this.#begun.resolve();
  }

  #end(affected: number | undefined): void {
    if (this.#isOver || this.#stopping !== undefined) return;
    const changed = affected ?? (this.#changes ? this.#count : undefined);
    if (changed !== undefined) this.affected = changed;
    this.#finish();
    this.#queue.end();
    this.#begin();
  }

  /** Errors that come because the statement is being stopped say nothing new. */
  #fail(error: Fault | StaleSession): void {
    if (this.#isOver || this.#stopping !== undefined) return;
    this.#finish();
    this.#queue.cut({ error });
    this.#begun.reject(error);
  }

  /** Stops the statement on the server. The session goes with it: a late KILL would hit the next statement. */
  #stop(reason?: Fault): Promise<void> {
    this.#stopping ??= this.#isOver ? Promise.resolve() : this.#stopNow(reason);
    return this.#stopping;
  }

  async #stopNow(reason: Fault | undefined): Promise<void> {
    // rows that pour in would hold up the connection that stops them
    this.#session.pause();
    this.#queue.cut(reason === undefined ? {} : { error: reason });
    await this.#options.kill(this.#session);
    await this.#session.destroy();
    this.#finish();
    this.#begun.reject(reason);
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    this.#options.release(this.#session);
  }

  #fault(error: unknown): Fault {
    return mysqlFault(error, { doing: "run the statement", sql: this.#sql });
  }

  async *#read(): AsyncGenerator<readonly Row[]> {
    try {
      for (let rows = await this.#queue.take(); rows !== undefined; rows = await this.#queue.take()) {
        yield rows;
      }
    } finally {
      await this.close();
    }
  }
}
