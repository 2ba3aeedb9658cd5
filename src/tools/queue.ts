/**
 * One operation at a time, first come, first served, each with a deadline that counts its waiting. Only where operations stand
 * in a line anyway, which takes care of their order, one is begun while another is under way.
 * What an operation does is the caller's; it must settle soon after its signal is aborted, or the next one waits.
 */
import { abortable } from "../base/abortable.ts";
import { Fault } from "../base/fault.ts";
import type { LinePlace } from "../db/driver.ts";

/** Operations that run or wait; one more is refused. */
const MAX_PLACES = 1000;

export class SerialQueue {
  readonly #deadlineMs: number;
  /** All that have not left, in order. */
  readonly #places = new Set<Place>();
  #last: Place | undefined;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /**
   * A place at the end, which must be used. `line` names where operations stand in a line of their own: one is begun when the
   * one before it in the same line was taken there. Throws Fault `busy` when too many wait.
   */
  enter(line?: string): Place {
    if (this.#places.size === MAX_PLACES) {
      throw new Fault("busy", `Cannot take another operation: ${MAX_PLACES} wait already. Try again later.`);
    }
    this.#last = new Place({
      places: this.#places,
      before: this.#places.size > 0 ? this.#last : undefined,
      line,
      deadlineMs: this.#deadlineMs,
    });
    return this.#last;
  }
}

interface Surroundings {
  readonly places: Set<Place>;
  /** Who is in front; absent when there is nobody. */
  readonly before: Place | undefined;
  readonly line: string | undefined;
  readonly deadlineMs: number;
}

/** What an operation is given; as a place it is for one that stands in a line. */
interface Turn extends LinePlace {
  readonly signal: AbortSignal;
}

export class Place {
  readonly #places: Set<Place>;
  readonly #line: string | undefined;
  readonly #deadlineMs: number;
  /** Settles when it is this one's turn. */
  readonly #turn: Promise<void> | undefined;
  readonly #taken = Promise.withResolvers<void>();
  readonly #left = Promise.withResolvers<void>();
  /** Settles when this one and all before it have left. */
  readonly #cleared: Promise<void>;
  #runningSince: number | undefined;

  constructor({ places, before, line, deadlineMs }: Surroundings) {
    this.#places = places;
    this.#line = line;
    this.#deadlineMs = deadlineMs;
    const isSameLine = line !== undefined && before !== undefined && before.#line === line;
    this.#turn = isSameLine ? before.#passed() : before && before.#cleared;
    this.#cleared = before ? before.#cleared.then(() => this.#left.promise) : this.#left.promise;
    places.add(this);
  }

  /** Settles when this one has had its turn and was taken, or has left. */
  async #passed(): Promise<void> {
    await this.#turn;
    await this.#taken.promise;
  }

  /** A few words on how it stands. */
  describe(): string {
    if (this.#runningSince !== undefined) {
      return `running ${Math.round((performance.now() - this.#runningSince) / 1000)} s`;
    }
    return `queued behind ${[...this.#places].indexOf(this)}`;
  }

  /**
   * Runs the operation when its turn has come, and leaves. An aborted call that still waits leaves at
   * once, with the reason of its signal. Throws Fault `busy` at the deadline.
   */
  async run<Result>(
    operation: (turn: Turn) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const stop = new AbortController(); // AbortSignal.any takes several times as long
    const timer = setTimeout(() => stop.abort(tooLate(this.#deadlineMs)), this.#deadlineMs);
    const pass = () => stop.abort(signal.reason);
    if (signal.aborted) pass();
    signal.addEventListener("abort", pass);
    try {
      stop.signal.throwIfAborted();
      if (this.#turn) await abortable(this.#turn, stop.signal);
      const begun = () => void (this.#runningSince = performance.now());
      const waits = () => void (this.#runningSince = undefined);
      begun();
      return await operation({ signal: stop.signal, taken: this.#taken.resolve, waits, begun });
    } catch (error) {
      stop.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", pass);
      this.#places.delete(this);
      this.#taken.resolve();
      this.#left.resolve();
    }
  }
}

function tooLate(deadlineMs: number): Fault {
  return new Fault(
    "busy",
    `Cannot finish within ${deadlineMs / 1000} s, waiting for earlier operations included. ` +
      "Try again, with a cheaper query if it runs long.",
  );
}
