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

/** Statements that a process has at once, the one at hand among them; more gain nothing. */
const MAX_STATEMENTS = 8;

export interface LineOptions {
  readonly signal: AbortSignal;
  readonly place: LinePlace;
}

export class Line {
  readonly #pool: Pool;
  #lane: Lane | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Runs a statement up to its first rows. To be called again when the place was told that it is taken. Every failure is a Fault. */
  async start(statement: Statement, { signal, place }: LineOptions): Promise<SqliteCursor> {
    let former: Spot | undefined;
    for (;;) {
      const lane = await this.#join(signal, former).finally(() => former?.giveBack());
      const spot = lane.add(place);
      lane.process.send(statement);
      if (spot.turn) await abortable(spot.turn, signal).catch((reason) => spot.discard(reason));
      if (lane.process.isAlive || spot.turn === undefined) {
        place.begun();
        const run = new Run(lane.process, { owner: spot, bounds: { signal, end: () => {} } });
        return new SqliteCursor(run, await run.begin());
      }
      former = spot;
    }
  }

  /** The process that the next statement goes to: the one that has statements, while it lives and has the file that the path names. */
  async #join(signal: AbortSignal, former: Spot | undefined): Promise<Lane> {
    const lane = this.#lane;
    if (lane === undefined || lane.isEmpty || lane === former?.lane) {
      return this.#lane = new Lane(await this.#pool.take(signal), { pool: this.#pool });
    }
    if (!lane.process.isAlive || this.#pool.isCurrent(lane.process)) return lane;
    return this.#lane = new Lane(await this.#pool.take(signal), { pool: this.#pool, after: lane.last });
  }
}

/** One process and the statements that it was given. */
class Lane {
  readonly process: SqliteProcess;
  readonly pool: Pool;
  /** Settles when all statements are over; absent when there were none. */
  last: Promise<void> | undefined;
  #statements = 0;
  /** Of the latest statement, while there is no room behind it. */
  #taken: (() => void) | undefined;

  constructor(process: SqliteProcess, { pool, after }: { pool: Pool; after?: Promise<void> | undefined }) {
    this.process = process;
    this.pool = pool;
    this.last = after;
  }

  get isEmpty(): boolean {
    return this.#statements === 0;
  }

  get isShared(): boolean {
    return this.#statements > 1;
  }

  add(place: LinePlace): Spot {
    const over = Promise.withResolvers<void>();
    const spot = new Spot(this, { turn: this.last, over: over.resolve });
    this.last = over.promise;
    this.#statements++;
    this.#taken = place.taken;
    this.#ask();
    return spot;
  }

  remove(): void {
    this.#statements--;
    this.#ask();
    if (this.isEmpty) this.pool.giveBack(this.process);
  }

  #ask(): void {
    if (this.#statements >= MAX_STATEMENTS) return;
    this.#taken?.();
    this.#taken = undefined;
  }
}

/** The place of one statement in a lane; it is given back when the statement is over. */
class Spot implements Owner {
  readonly lane: Lane;
  /** Settles when all statements in front are over; absent where there are none. */
  readonly turn: Promise<void> | undefined;
  readonly #leave: () => void;

  constructor(lane: Lane, { turn, over }: { turn: Promise<void> | undefined; over: () => void }) {
    this.lane = lane;
    this.turn = turn;
    this.#leave = over;
  }

  get isClosed(): boolean {
    return this.lane.pool.isClosed;
  }

  get isFollowed(): boolean {
    return this.lane.isShared;
  }

  giveBack(): void {
    this.lane.remove();
    this.#leave();
  }

  /** Nobody waits for the statement any more: it is stopped when its turn comes. Throws the reason as a Fault. */
  discard(reason: unknown): never {
    const { signal } = new AbortController();
    this.turn?.then(() =>
      new Run(this.lane.process, { owner: this, bounds: { signal, end: () => {} } }).stop()
    );
    throw toFault(reason);
  }
}
