/**
 * Statements that run one after the other in one SQLite process, which is given each before it is done with those in front,
 * so that neither side waits for the other between short ones. They must only read: when the process is ended, those behind
 * the statement at hand are given to another one, which begins with them anew.
 */
import { abortable } from "../../base/abortable.ts";
import { toFault } from "../../base/fault.ts";
import type { LinePlace } from "../driver.ts";
import type { Statement } from "../sqlite_child/protocol.ts";
import { SqliteCursor } from "./cursor.ts";
import type { Pool } from "./pool.ts";
import type { SqliteProcess } from "./process.ts";
import { type Owner, Run } from "./run.ts";

/** Statements in the line, the one at hand among them; more gain nothing. */
const MAX_STATEMENTS = 8;

export interface LineOptions {
  readonly signal: AbortSignal;
  readonly place: LinePlace;
}

export class Line {
  readonly #pool: Pool;
  /** Those whose statements are not over, in order. */
  readonly #spots: Spot[] = [];
  /** Who works on them. */
  #process: SqliteProcess | undefined;
  /** Lets the next statement be asked for, while there is no room for it. */
  #taken: (() => void) | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Runs a statement up to its first rows. To be called again when the place was told that it is taken. Every failure is a Fault. */
  async start(statement: Statement, { signal, place }: LineOptions): Promise<SqliteCursor> {
    const spot = this.#add(statement, place);
    let process: SqliteProcess;
    try {
      if (spot.turn) await abortable(spot.turn, signal);
      process = this.#given(spot) ?? await this.#give(signal);
    } catch (reason) {
      this.#drop(spot);
      throw toFault(reason);
    }
    place.begun();
    const run = new Run(process, { owner: spot, bounds: { signal, end: () => {} } });
    return new SqliteCursor(run, await run.begin());
  }

  #add(statement: Statement, place: LinePlace): Spot {
    const last = this.#spots.at(-1);
    const process = last && this.#given(last);
    const isNext = process !== undefined && this.#pool.isCurrent(process);
    const spot: Spot = new Spot(statement, {
      turn: last?.over,
      isClosed: () => this.#pool.isClosed,
      isFollowed: () => this.#spots[1]?.process === spot.process,
      leave: () => this.#leave(spot),
    });
    this.#spots.push(spot);
    if (isNext) spot.give(process);
    if (last) place.waits();
    this.#taken = () => place.taken();
    this.#ask();
    return spot;
  }

  /** The process that has the statement, if it still lives. */
  #given({ process }: Spot): SqliteProcess | undefined {
    return process === this.#process && process?.isAlive ? process : undefined;
  }

  /** Gives all statements to a process that has the file which the path names now. */
  async #give(signal: AbortSignal): Promise<SqliteProcess> {
    this.#release();
    const process = await this.#pool.take(signal);
    this.#process = process;
    for (const spot of this.#spots) if (!spot.isDropped) spot.give(process);
    return process;
  }

  #release(): void {
    if (this.#process) this.#pool.giveBack(this.#process);
    this.#process = undefined;
  }

  /** Nobody waits for the statement any more: it is stopped when its turn comes. */
  #drop(spot: Spot): void {
    spot.isDropped = true;
    Promise.resolve(spot.turn).then(() => {
      const process = this.#given(spot);
      if (process === undefined) return spot.giveBack();
      const { signal } = new AbortController();
      return new Run(process, { owner: spot, bounds: { signal, end: () => {} } }).stop();
    });
  }

  #leave(spot: Spot): void {
    this.#spots.splice(this.#spots.indexOf(spot), 1);
    if (this.#spots.length === 0) this.#release();
    this.#ask();
  }

  #ask(): void {
    if (this.#spots.length >= MAX_STATEMENTS) return;
    this.#taken?.();
    this.#taken = undefined;
  }
}

interface Surroundings {
  /** Settles when the statement in front is over; absent where there is none. */
  readonly turn: Promise<void> | undefined;
  readonly isClosed: () => boolean;
  readonly isFollowed: () => boolean;
  readonly leave: () => void;
}

/** One statement's place in the line; it is given back when the statement is over. */
class Spot implements Owner {
  readonly #statement: Statement;
  readonly #around: Surroundings;
  readonly #over = Promise.withResolvers<void>();
  /** Who was given the statement. */
  process: SqliteProcess | undefined;
  isDropped = false;

  constructor(statement: Statement, around: Surroundings) {
    this.#statement = statement;
    this.#around = around;
  }

  get turn(): Promise<void> | undefined {
    return this.#around.turn;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  get isClosed(): boolean {
    return this.#around.isClosed();
  }

  get isFollowed(): boolean {
    return this.#around.isFollowed();
  }

  give(process: SqliteProcess): void {
    this.process = process;
    process.send(this.#statement);
  }

  giveBack(): void {
    this.#around.leave();
    this.#over.resolve();
  }
}
