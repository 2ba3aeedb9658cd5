/**
 * One statement of a person on a session of their own: it is stopped on the server when it must be, and the session goes on.
 */
import { Fault } from "../../../base/fault.ts";
import { stopFault } from "../../connection_faults.ts";
import type { Column, Cursor } from "../../driver.ts";
import type { Row } from "../../values.ts";
import { isConnectionLoss, postgresFault } from "../faults.ts";
import { orOutcome, RowStream } from "../row_stream.ts";
import type { Session } from "../session.ts";
import type { TypeCatalog } from "../type_catalog.ts";

/** How long a statement may take to stop after the server was asked to; then its connection is cut. */
const STOP_MS = 5_000;
/** Commands whose tag counts changed rows. */
const CHANGING = ["INSERT", "UPDATE", "DELETE", "MERGE", "COPY"];

export interface RunOptions {
  readonly types: TypeCatalog;
  readonly signal: AbortSignal;
  /** Rows that nobody wants are read to their end: stopping the statement would undo what the transaction did. */
  readonly isInTransaction: boolean;
}

export class WorkCursor implements Cursor {
  columns: readonly Column[] = [];
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly #session: Session;
  readonly #stream: RowStream;
  readonly #options: RunOptions;
  /** Settles when the session is ready for the next statement; rejects with the Fault that ended this one. */
  readonly #finished: Promise<void>;
  readonly #onAbort: () => void;
  #stopping: Promise<void> | undefined;
  #stopped: Fault | undefined;
  #isOver = false;
  #isClosed = false;
  #affected: number | undefined;

  private constructor(session: Session, sql: string, { options }: { options: RunOptions }) {
    this.#session = session;
    this.#options = options;
    this.#stream = new RowStream(session, sql);
    this.#onAbort = () => this.#stop(stopFault(options.signal.reason));
    options.signal.addEventListener("abort", this.#onAbort);
    this.#finished = this.#finish();
    this.#finished.catch(() => {}); // told to whoever reads
    this.batches = this.#read();
    if (options.signal.aborted) this.#onAbort();
  }

  /** Resolves with the statement's first row, or its end. Throws Fault. */
  static async open(
    session: Session,
    sql: string,
    { options }: { options: RunOptions },
  ): Promise<WorkCursor> {
    const cursor = new WorkCursor(session, sql, { options });
    await cursor.#begin();
    return cursor;
  }

  get affected(): number | undefined {
    return this.#affected;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#options.isInTransaction) this.#stream.discard();
    else this.#stop(new Fault("cancelled", "The statement was stopped: nobody wanted more of its rows."));
    await this.#finished.catch(() => {});
  }

  async #begin(): Promise<void> {
    const columns = await orOutcome(this.#stream.started, this.#finished);
    // a type that cannot be looked up leaves the server's text
    const types = await this.#options.types.types(columns.map(({ type }) => type))
      .catch(() => columns.map(() => ({ name: "" })));
    this.#stream.decodeWith(types.map((type) => "decode" in type ? type.decode : undefined));
    this.columns = columns.map(({ name }, index) => ({ name, type: types[index]?.name ?? "" }));
    if (columns.length === 0) await this.#finished;
  }

  async *#read(): AsyncGenerator<readonly Row[]> {
    try {
      while (!this.#isClosed) {
        const rows = await orOutcome(this.#stream.next(), this.#finished);
        if (rows.length === 0) return await this.#finished;
        yield rows;
      }
    } finally {
      await this.close();
    }
  }

  async #finish(): Promise<void> {
    try {
      const { command, count } = await this.#stream.ended;
      if (command !== null && CHANGING.includes(command)) this.#affected = count;
    } catch (error) {
      if (isConnectionLoss(error)) this.#session.destroy();
      if (!this.#stopped) throw postgresFault(error, "run the statement");
    } finally {
      this.#isOver = true;
      this.#options.signal.removeEventListener("abort", this.#onAbort);
      // a request to cancel that is still under way must not hit the next statement
      await this.#stopping;
    }
    if (this.#stopped) throw this.#stopped;
  }

  #stop(reason: Fault): void {
    if (this.#stopped || this.#isOver) return;
    this.#stopped = reason;
    // rows that pour in would keep the request from getting out
    this.#stream.hold();
    const cut = setTimeout(() => this.#session.destroy(), STOP_MS);
    this.#stopping = this.#session.cancel()
      .then(() => this.#stream.discard(), () => this.#session.destroy());
    this.#stream.ended.catch(() => {}).finally(() => clearTimeout(cut));
  }
}
