/**
 * One connection of a DuckDB instance, for as long as one statement lives. Nothing outlives it: variables, settings and
 * temporary tables go with the connection. It knows no SQL.
 */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { abortable } from "../../base/abortable.ts";
import { Fault, toFault } from "../../base/fault.ts";
import { settle } from "../../base/settle.ts";

/** How often DuckDB is told to stop until it does, in milliseconds: a statement that just begins misses the first time. */
const INTERRUPT_EVERY_MS = 10;

/** What reading rows needs of a connection. */
export interface Held {
  use<Value>(work: (connection: DuckDBConnection) => Promise<Value>): Promise<Value>;
  end(): Promise<void>;
}

export class Lease implements Held {
  /** Whose connection it is; another one after the file was given back meanwhile. */
  readonly instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal;
  readonly #onEnd: () => void;
  readonly #abort = () => void this.end();
  #work: Promise<unknown> = Promise.resolve();
  #ended: Promise<void> | undefined;

  /** `onEnd` is called once, when DuckDB has let go of the connection. */
  constructor(
    connection: DuckDBConnection,
    { instance, signal, onEnd }: { instance: DuckDBInstance; signal: AbortSignal; onEnd: () => void },
  ) {
    this.instance = instance;
    this.#connection = connection;
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal.addEventListener("abort", this.#abort, { once: true });
  }

  /**
   * Does one thing after the other on the connection. An abort ends the waiting at once, and the lease.
   * Throws Fault: cancelled and whatever else the signal says, closed; and what the work throws.
   */
  async use<Value>(work: (connection: DuckDBConnection) => Promise<Value>): Promise<Value> {
    this.#check();
    const running = work(this.#connection);
    this.#work = running;
    try {
      return await abortable(running, this.#signal);
    } finally {
      // DuckDB may answer an interrupt with the end of the rows, as if there were no more.
      this.#check();
    }
  }

  /** Stops what still runs and closes the connection. Settles when DuckDB has let go of it. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  #check(): void {
    if (this.#signal.aborted) throw toFault(this.#signal.reason);
    if (this.#ended !== undefined) {
      throw new Fault("closed", "Cannot go on with the statement: it has been closed.");
    }
  }

  async #end(): Promise<void> {
    this.#signal.removeEventListener("abort", this.#abort);
    await interrupt(this.#connection, this.#work);
    this.#connection.closeSync();
    this.#onEnd();
  }
}

/** Stops what the connection is at. Closing one that is at work would block the whole process until the work ends. */
export async function interrupt(connection: DuckDBConnection, work: Promise<unknown>): Promise<void> {
  let isAtWork = true;
  const settled = work.then(() => isAtWork = false, () => isAtWork = false);
  await Promise.resolve();
  while (isAtWork) {
    connection.interrupt();
    await settle(settled, { ms: INTERRUPT_EVERY_MS });
  }
}
