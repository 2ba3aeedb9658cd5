/**
 * One operation at a time, first come, first served, each with a deadline that counts its waiting.
 * What an operation does is the caller's; it must settle soon after its signal is aborted, or the next one waits.
 */
import { abortable } from "../base/abortable.ts";
import { Fault } from "../base/fault.ts";

/** Operations that run or wait; one more is refused. */
const MAX_PLACES = 1000;

export class SerialQueue {
  readonly #deadlineMs: number;
  readonly #places = new Set<Place>();
  #last: Promise<void> = Promise.resolve();

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** A place at the end, which must be used. Throws Fault `busy` when too many wait. */
  enter(): Place {
    if (this.#places.size === MAX_PLACES) {
      throw new Fault("busy", `Cannot take another operation: ${MAX_PLACES} wait already. Try again later.`);
    }
    const place: Place = new Place({
      places: this.#places,
      turn: this.#places.size > 0 ? this.#last : undefined,
      deadlineMs: this.#deadlineMs,
    });
    this.#last = this.#last.then(() => place.left);
    return place;
  }
}

interface Surroundings {
  /** All that have not left, in order. */
  readonly places: Set<Place>;
  /** Settles when all before this one have left; absent when there are none. */
  readonly turn: Promise<void> | undefined;
  readonly deadlineMs: number;
}

export class Place {
  readonly #around: Surroundings;
  readonly #left = Promise.withResolvers<void>();
  #runningSince: number | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
    around.places.add(this);
  }

  get left(): Promise<void> {
    return this.#left.promise;
  }

  /** A few words on how it stands. */
  describe(): string {
    if (this.#runningSince !== undefined) {
      return `running ${Math.round((performance.now() - this.#runningSince) / 1000)} s`;
    }
    return `queued behind ${[...this.#around.places].indexOf(this)}`;
  }

  /**
   * Runs the operation when all earlier ones have settled, and leaves. An aborted call that still waits leaves at
   * once, with the reason of its signal. Throws Fault `busy` at the deadline.
   */
  async run<Result>(
    operation: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const { places, turn, deadlineMs } = this.#around;
    const stop = new AbortController(); // AbortSignal.any takes several times as long
    const timer = setTimeout(() => stop.abort(tooLate(deadlineMs)), deadlineMs);
    const pass = () => stop.abort(signal.reason);
    if (signal.aborted) pass();
    signal.addEventListener("abort", pass);
    try {
      stop.signal.throwIfAborted();
      if (turn) await abortable(turn, stop.signal);
      this.#runningSince = performance.now();
      return await operation(stop.signal);
    } catch (error) {
      stop.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", pass);
      places.delete(this);
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
