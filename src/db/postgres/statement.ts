/**
 * One statement of a user: runs it alone in a transaction of its own, stops it when it must be, and gives its connection
 * back. It judges nothing; what the transaction's mode allows, it lets through.
 */
import { Fault } from "../../base/fault.ts";
import { settle } from "../../base/settle.ts";
import { stopFault } from "../connection_faults.ts";
import { GRACE_MS } from "../deadline.ts";
import type { Access } from "../driver.ts";
import type { Row } from "../values.ts";
import { isConnectionLoss, postgresFault } from "./faults.ts";
import { beginOnLive, type Source } from "./lease.ts";
import { orOutcome, RowStream } from "./row_stream.ts";
import type { Session, TextColumn } from "./session.ts";
import type { Decode } from "./types.ts";

/** How long a statement may take to stop after the server was asked to; then its connection is cut. */
const STOP_MS = 1_000;

/** Commands whose tag counts changed rows. */
const CHANGING = ["INSERT", "UPDATE", "DELETE", "MERGE"];

export interface StatementOptions extends Source {
  /** With `write`, what the statement did lasts once it has ended. */
  readonly access: Access;
  /** Until the first row. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export class Statement {
  /** Resolves when the statement has ended, however, and its connection has been given back. */
  readonly settled: Promise<void>;
  readonly #session: Session;
  readonly #stream: RowStream;
  readonly #options: StatementOptions;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onAbort: () => void;
  #cut: ReturnType<typeof setTimeout> | undefined;
  /** The request to cancel, on a connection of its own. */
  #stopping = Promise.resolve();
  #stopped: Fault | undefined;
  /** The server has ended the statement: from here on a cancel request would hit something else. */
  #isOver = false;
  #affected: number | undefined;
  /** Settles when the connection has been given back; rejects with the Fault that ended the statement. */
  readonly #finished: Promise<void>;
  #isClosed = false;

  private constructor(session: Session, sql: string, { options }: { options: StatementOptions }) {
    const { signal, timeoutMs } = options;
    this.#session = session;
    this.#options = options;
    this.#stream = new RowStream(session, sql);
    this.#onAbort = () => this.#stop(stopFault(signal.reason));
    signal.addEventListener("abort", this.#onAbort);
    this.#timer = setTimeout(() => this.#stop(stopFault(new DOMException("", "TimeoutError"))), timeoutMs);
    this.#finished = this.#finish();
    this.settled = this.#finished.catch(() => {});
    if (signal.aborted) this.#onAbort();
  }

  /** Sends the statement on a connection that is alive. Throws Fault when none can be had. */
  static async start(sql: string, options: StatementOptions): Promise<Statement> {
    const { access, signal, timeoutMs } = options;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return new Statement(await beginOnLive(options, { access, signal: bounded }), sql, { options });
  }

  /** The columns, once the first row is here or the statement has ended without rows. */
  async columns(): Promise<readonly TextColumn[]> {
    const columns = await orOutcome(this.#stream.started, this.#finished);
    clearTimeout(this.#timer);
    return columns;
  }

  /** How the texts of the columns become cells; to be told before the first rows are taken. */
  decodeWith(decoders: readonly (Decode | undefined)[]): void {
    this.#stream.decodeWith(decoders);
  }

  /** The next rows; none when the statement has ended and its work is done. */
  async next(): Promise<readonly Row[]> {
    if (this.#isClosed) return [];
    const rows = await orOutcome(this.#stream.next(), this.#finished);
    if (rows.length === 0) await this.#finished;
    return rows;
  }

  /** Whether what it did lasts. */
  get writes(): boolean {
    return this.#options.access === "write";
  }

  /** Rows changed, once the statement has ended. */
  get affected(): number | undefined {
    return this.#affected;
  }

  /** Ends a statement that reads; one that writes has done its work with the first row, and is let finish. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.writes) this.#stream.discard();
    else this.#stop(new Fault("cancelled", "The statement was stopped: nobody wanted more of its rows."));
    await this.settled;
  }

  async #finish(): Promise<void> {
    const { pool } = this.#options;
    try {
      const { command, count } = await this.#stream.ended.finally(() => this.#isOver = true);
      if (this.#stopped) throw this.#stopped;
      if (command === null) {
        throw new Fault("not_understood", "Cannot run the statement: it is empty. Write one.");
      }
      if (this.writes) await this.#commit();
      else await this.#rollBack();
      if (CHANGING.includes(command)) this.#affected = count;
    } catch (error) {
      if (isConnectionLoss(error)) this.#session.destroy();
      else if (!this.#stopped) await this.#rollBack();
      throw this.#stopped ?? postgresFault(error, "run the statement");
    } finally {
      clearTimeout(this.#timer);
      clearTimeout(this.#cut);
      this.#options.signal.removeEventListener("abort", this.#onAbort);
      // a cancel request that arrives late must not hit the next statement
      if (this.#stopped) this.#session.destroy();
      await settle(this.#stopping, { ms: GRACE_MS });
      pool.release(this.#session);
    }
  }

  async #commit(): Promise<void> {
    try {
      await this.#options.transactions.end(this.#session, "COMMIT");
    } catch (cause) {
      if (!isConnectionLoss(cause)) throw cause;
      const says = "the connection to the server was lost. Look at the data before you run it again.";
      throw new Fault("unreachable", `Cannot tell whether the statement's changes were kept: ${says}`, {
        cause,
      });
    }
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#options.transactions.end(this.#session, "ROLLBACK");
    } catch {
      this.#session.destroy();
    }
  }

  #stop(reason: Fault): void {
    if (this.#stopped || this.#isOver) return;
    this.#stopped = reason;
    // rows that pour in would keep the cancel request from getting out
    this.#stream.hold();
    this.#stopping = this.#session.cancel()
      .then(() => this.#stream.discard(), () => this.#session.destroy());
    this.#cut = setTimeout(() => this.#session.destroy(), STOP_MS);
  }
}
