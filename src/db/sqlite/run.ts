/**
 * A SQLite process at work on one statement, from taking it to giving it back, and why it ended early.
 */
import { Fault } from "../../base/fault.ts";
import type { Deadline } from "../deadline.ts";
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
  giveBack(returned: SqliteProcess): void;
}

/** A process that works on one statement, until it is given back. */
export class Run {
  readonly #process: SqliteProcess;
  readonly #pool: Owner;
  readonly #deadline: Deadline;
  readonly #kill = () => this.#process.kill();
  /** After a person's own statement: whether a transaction is open. */
  inTransaction = false;
  #received = 0;
  #isReceiving = false;
  #isStopped = false;
  #isOver = false;

  constructor(process: SqliteProcess, { pool, deadline }: { pool: Owner; deadline: Deadline }) {
    this.#process = process;
    this.#pool = pool;
    this.#deadline = deadline;
    deadline.signal.addEventListener("abort", this.#kill, { once: true });
  }

  async begin(statement: Statement): Promise<Part> {
    const { signal } = this.#deadline;
    if (signal.aborted) {
      this.#end();
      throw signal.reason;
    }
    this.#process.send(statement);
    return await this.#receive();
  }

  /** The next part; asked for when the one before has been read. */
  more(): Promise<Part> {
    if (this.#received % ACK_PARTS === 0) this.#process.send("more");
    return this.#receive();
  }

  /** Stops the statement if it still runs. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isStopped = true;
    if (this.#isReceiving) return this.#kill();
    this.#process.send("stop");
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
    const { signal } = this.#deadline;
    if (part !== undefined && !signal.aborted) return part;
    this.#end();
    throw signal.aborted ? signal.reason : this.#lost();
  }

  #lost(): Fault {
    if (this.#isStopped) return new Fault("closed", "Cannot read more rows: the cursor was closed.");
    return this.#pool.isClosed
      ? new Fault("closed", "Cannot finish the statement: the database was closed.")
      : new Fault("database_error", CRASHED);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline.end();
    this.#deadline.signal.removeEventListener("abort", this.#kill);
    this.#pool.giveBack(this.#process);
  }
}
