/**
 * How long the work of one statement may take: its caller's signal and a clock, as one signal that the engine obeys.
 * After the signal, the engine has a moment to unwind; who waits is told why it was stopped, not what the engine said.
 */
import { Fault, toFault } from "../base/fault.ts";

/** How long an engine may take to stop, in milliseconds; afterwards it is no longer waited for. */
export const GRACE_MS = 700;

/** What timers can count at most, in milliseconds. */
export const LONGEST_MS = 2 ** 31 - 1;

export interface Bound {
  readonly ms: number;
  /** What takes the time, for the error: "the statement". */
  readonly what: string;
}

export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #onAbort = () => this.#stop(new Fault("cancelled", "The statement was cancelled."));
  /** Those who wait for work. */
  readonly #waiting = new Set<(reason: Fault) => void>();
  #bound: Bound;
  /** When the bound is reached; the clock may ring earlier and is then set again. */
  #due = 0;
  #rings = 0;
  #clock: ReturnType<typeof setTimeout> | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #reason: Fault | undefined;

  constructor(caller: AbortSignal, bound: Bound) {
    this.#caller = caller;
    this.#bound = bound;
    this.#due = performance.now() + bound.ms;
    this.#setClock();
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener("abort", this.#onAbort);
  }

  /** Aborted when the time is over or the caller gives up; its reason is the Fault. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Replaces the bound by another one, which begins now. */
  extend(bound: Bound): void {
    this.#bound = bound;
    this.#due = performance.now() + bound.ms;
    if (this.#due < this.#rings) this.#setClock();
  }

  /** The work's result. Throws Fault: timeout, cancelled, and the work's own. */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reason !== undefined) throw this.#reason;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.add(reject);
    try {
      work().then(resolve, reject);
      const result = await promise;
      if (this.#reason === undefined) return result;
    } catch (error) {
      throw this.#reason ?? toFault(error);
    } finally {
      this.#waiting.delete(reject);
      if (this.#waiting.size === 0) clearTimeout(this.#grace);
    }
    throw this.#reason;
  }

  /** The work is done: stops the clock and lets go of the caller's signal. */
  end(): void {
    clearTimeout(this.#clock);
    this.#caller.removeEventListener("abort", this.#onAbort);
  }

  #setClock(): void {
    clearTimeout(this.#clock);
    this.#rings = this.#due;
    this.#clock = setTimeout(() => {
      if (performance.now() < this.#due) return this.#setClock();
      const { ms, what } = this.#bound;
      const state = `it took more than ${ms / 1000} s and was stopped`;
      this.#stop(new Fault("timeout", `Cannot finish ${what}: ${state}. Ask for less at once.`));
    }, Math.max(0, this.#due - performance.now())); // it may have passed since it was compared
  }

  #stop(reason: Fault): void {
    this.end();
    this.#reason ??= reason;
    if (this.#waiting.size > 0) this.#grace = setTimeout(() => this.#giveUp(), GRACE_MS);
    this.#controller.abort(this.#reason);
  }

  #giveUp(): void {
    for (const reject of this.#waiting) if (this.#reason) reject(this.#reason);
  }
}
