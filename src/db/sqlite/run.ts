/**
 * A SQLite process at work on one statement, from taking it to giving it back, and why it ended early.
 */
import { Fault, toFault as faultOf } from "../../base/fault.ts";
import { ACK_PARTS, type Part, type Statement } from "../sqlite_child/protocol.ts";
import { toFault } from "./faults.ts";
import type { SqliteProcess } from "./process.ts";

/** How long a process may take to stop between two parts before it is killed, in milliseconds. */
const STOP_MS = 100;

const CRASHED =
  "Cannot finish the statement: the SQLite process ended unexpectedly. Try again, or select less at once.";

/** Where the process came from and goes back to. */
export interface Owner {
  readonly isClosed: boolean;
  /** Whether the process was given another statement already. */
  readonly isFollowed?: boolean;
  giveBack(returned: SqliteProcess): void;
}

/** What ends a statement early; a Deadline is one. */
export interface Bounds {
  readonly signal: AbortSignal;
  /** The statement is over. */
  end(): void;
}

/** A process that works on one statement, until it is given back. */
export class Run {
  readonly #process: SqliteProcess;
  readonly #owner: Owner;
  readonly #bounds: Bounds;
  readonly #kill = () => this.#process.kill();
  /** After a person's own statement: whether a transaction is open. */
  inTransaction = false;
  #received = 0;
  #isReceiving = false;
  #isStopped = false;
  #isOver = false;

  constructor(process: SqliteProcess, { owner, bounds }: { owner: Owner; bounds: Bounds }) {
    this.#process = process;
    this.#owner = owner;
    this.#bounds = bounds;
    bounds.signal.addEventListener("abort", this.#kill, { once: true });
  }

  /** The first part of the statement, which is sent unless it was already. */
  async begin(statement?: Statement): Promise<Part> {
    const { signal } = this.#bounds;
    if (signal.aborted) {
      // Its answer would be taken for that of the next statement.
      if (statement === undefined) this.#kill();
      this.#end();
      throw faultOf(signal.reason);
    }
    if (statement !== undefined) this.#process.send(statement);
    return await this.#receive();
  }

  /** The next part; asked for when the one before has been read. */
  more(): Promise<Part> {
    if (this.#received % ACK_PARTS === 0) this.#process.send("more");
    return this.#receive();
  }

  /** Stops the statement if it still runs. With others behind it there is no word for that: it comes to its end soon, or is killed. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isStopped = true;
    if (this.#isReceiving) return this.#kill();
    if (this.#owner.isFollowed !== true) this.#process.send("stop");
    const timer = setTimeout(this.#kill, STOP_MS);
    let part = await this.#process.receive();
    while (part !== undefined && !part.done) part = await this.#process.receive();
    this.inTransaction = part?.inTransaction ?? false;
    clearTimeout(timer);
    this.#end();
  }

  async #receive(): Promise<Part> {
    this.#isReceiving = true;
    const part = await this.#process.receive();
    this.#isReceiving = false;
    this.#received++;
    // What has come to its end has done so, whatever was wished in the meantime.
    if (part?.done) {
      this.inTransaction = part.inTransaction ?? false;
      this.#end();
      if (part.failure !== undefined) throw toFault(part.failure);
      return part;
    }
    const { signal } = this.#bounds;
    if (part !== undefined && !signal.aborted) return part;
    this.#end();
    throw signal.aborted ? faultOf(signal.reason) : this.#lost();
  }

  #lost(): Fault {
    if (this.#isStopped) return new Fault("closed", "Cannot read more rows: the cursor was closed.");
    return this.#owner.isClosed
      ? new Fault("closed", "Cannot finish the statement: the database was closed.")
      : new Fault("database_error", CRASHED);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#bounds.end();
    this.#bounds.signal.removeEventListener("abort", this.#kill);
    this.#owner.giveBack(this.#process);
  }
}
