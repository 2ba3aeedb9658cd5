/**
 * The time that a statement has until its first row, as a signal; the caller's own signal is part of it.
 */
import { Fault } from "../../base/fault.ts";

export class Clock {
  /** Aborted when the caller gives up or the time is over; its reason then is a Fault. */
  readonly signal: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout>;

  /** `ms` is in milliseconds, `what` is for the error: "the statement". */
  constructor(caller: AbortSignal, { ms, what }: { readonly ms: number; readonly what: string }) {
    const late = new AbortController();
    this.signal = AbortSignal.any([caller, late.signal]);
    this.#timer = setTimeout(() => {
      late.abort(
        new Fault(
          "timeout",
          `Cannot finish ${what}: it took more than ${ms / 1000} s. Ask for less at once.`,
        ),
      );
    }, ms);
  }

  /** There is no hurry any more; the caller can still give up. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
