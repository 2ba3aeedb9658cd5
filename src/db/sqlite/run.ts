/**
 * A SQLite process at work on one statement, from taking it to giving it back, and why it ended early.
 */
import { Fault } from "../../base/fault.ts";
import type { Part, Statement } from "../sqlite_child/protocol.ts";
import { toFault } from "./faults.ts";
import type { Pool } from "./pool.ts";
import type { SqliteProcess } from "./process.ts";

/** How long a process may take to stop between two parts before it is killed, in milliseconds. */
const STOP_MS = 100;

/** A process that works on one statement, until it is given back. */
export class Run {
  readonly #process: SqliteProcess;
  readonly #pool: Pool;
  readonly #stop: AbortSignal;
  readonly #kill = () => this.#process.kill();
  #isOver = false;
  onEnd = () => {};

  constructor(process: SqliteProcess, { pool, stop }: { pool: Pool; stop: AbortSignal }) {
    this.#process = process;
    this.#pool = pool;
    this.#stop = stop;
    stop.addEventListener("abort", this.#kill, { once: true });
  }

  begin(statement: Statement): Promise<Part> {
    this.#process.send(statement);
    return this.#receive();
  }

  more(): Promise<Part> {
    this.#process.send("more");
    return this.#receive();
  }

  /** Stops the statement if it still runs. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#process.send("stop");
    const timer = setTimeout(this.#kill, STOP_MS);
    let part = await this.#process.receive();
    while (part !== undefined && !part.done) part = await this.#process.receive();
    clearTimeout(timer);
    this.#end();
  }

  async #receive(): Promise<Part> {
    const part = await this.#process.receive();
    if (part?.done ?? true) this.#end();
    if (this.#stop.aborted) throw this.#stop.reason;
    if (part === undefined) throw this.#pool.isClosed ? closed() : crashed();
    if (part.failure !== undefined) throw toFault(part.failure);
    return part;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop.removeEventListener("abort", this.#kill);
    this.#pool.giveBack(this.#process);
    this.onEnd();
  }
}

function closed(): Fault {
  return new Fault("closed", "Cannot finish the statement: the database was closed.");
}

function crashed(): Fault {
  return new Fault(
    "database_error",
    "Cannot finish the statement: the SQLite process ended unexpectedly. Try again, or select less at once.",
  );
}
