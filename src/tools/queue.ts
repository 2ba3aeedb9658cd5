/**
 * One operation at a time, first come, first served, each with a deadline that counts its waiting.
 * What an operation does is the caller's; it must settle soon after its signal is aborted, or the next one waits.
 */
import { Fault } from "../base/fault.ts";

/** Operations that wait; one more is refused. */
const MAX_WAITING = 1000;

export class SerialQueue {
  readonly #deadlineMs: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Runs the operation when all earlier ones have settled. An aborted call that still waits leaves the queue at once,
   * with the reason of its signal. Throws Fault `busy` at the deadline, and when too many wait.
   */
  async run<Result>(
    operation: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    if (this.#waiting === MAX_WAITING) {
      throw new Fault("busy", `Cannot take another operation: ${MAX_WAITING} wait already. Try again later.`);
    }
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(this.#tooLate()), this.#deadlineMs);
    const either = AbortSignal.any([signal, deadline.signal]);
    const turn = this.#last;
    const done = Promise.withResolvers<void>();
    this.#last = Promise.all([turn, done.promise]);
    try {
      this.#waiting++;
      await settledOrAborted(turn, either).finally(() => this.#waiting--);
      return await operation(either);
    } catch (error) {
      either.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      done.resolve();
    }
  }

  #tooLate(): Fault {
    const seconds = this.#deadlineMs / 1000;
    return new Fault(
      "busy",
      `Cannot finish within ${seconds} s, waiting for earlier operations included. Try again, with a cheaper query if it runs long.`,
    );
  }
}

/** Waits for the turn; throws the signal's reason when it is aborted before. */
async function settledOrAborted(turn: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([turn, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
  signal.throwIfAborted();
}
