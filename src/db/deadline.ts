/**
 * How long the work of one statement may take: its caller's signal and a clock, as one signal that the engine obeys.
 * After the signal, the engine has a moment to unwind; who waits is told why it was stopped, not what the engine said.
 */
import { Fault, toFault } from "../base/fault.ts";

/** How long an engine may take to stop, in milliseconds; afterwards it is no longer waited for. */
const GRACE_MS = 700;

/** Waits for work whose outcome changes nothing: until it settles, and no longer than this. */
export async function settle(work: Promise<unknown>, { ms = GRACE_MS } = {}): Promise<void> {
  const bound = Promise.withResolvers<void>();
  const timer = setTimeout(bound.resolve, ms);
  await Promise.race([work.catch(() => {}), bound.promise]);
  clearTimeout(timer);
}

export interface Bound {
  readonly ms: number;
  /** What takes the time, for the error: "the statement". */
  readonly what: string;
}

export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #onAbort = () => this.#stop(new Fault("cancelled", "The statement was cancelled."));
  #clock: ReturnType<typeof setTimeout> | undefined;
  #reason: Fault | undefined;

  constructor(caller: AbortSignal, bound: Bound) {
    this.#caller = caller;
    this.extend(bound);
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener("abort", this.#onAbort);
  }

  /** Aborted when the time is over or the caller gives up; its reason is the Fault. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Replaces the bound by another one, which begins now. */
  extend({ ms, what }: Bound): void {
    clearTimeout(this.#clock);
    this.#clock = setTimeout(() => {
      const state = `it took more than ${ms / 1000} s and was stopped`;
      this.#stop(new Fault("timeout", `Cannot finish ${what}: ${state}. Ask for less at once.`));
    }, ms);
  }

  /** The work's result. Throws Fault: timeout, cancelled, and the work's own. */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reason !== undefined) throw this.#reason;
    const late = Promise.withResolvers<never>();
    let grace: ReturnType<typeof setTimeout> | undefined;
    const allowGrace = () => {
      grace = setTimeout(() => late.reject(this.#reason), GRACE_MS);
    };
    this.signal.addEventListener("abort", allowGrace);
    try {
      const result = await Promise.race([work(), late.promise]);
      if (this.#reason === undefined) return result;
    } catch (error) {
      throw this.#reason ?? toFault(error);
    } finally {
      clearTimeout(grace);
      this.signal.removeEventListener("abort", allowGrace);
    }
    throw this.#reason;
  }

  /** The work is done: stops the clock and lets go of the caller's signal. */
  end(): void {
    clearTimeout(this.#clock);
    this.#caller.removeEventListener("abort", this.#onAbort);
  }

  #stop(reason: Fault): void {
    this.end();
    this.#reason ??= reason;
    this.#controller.abort(this.#reason);
  }
}
