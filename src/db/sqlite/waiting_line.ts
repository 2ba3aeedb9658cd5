/**
 * Statements that wait for a process, first come first served, up to a bound.
 */
import { Fault, toFault } from "../../base/fault.ts";

const MAX_WAITING = 256;

export class WaitingLine<Thing> {
  readonly #waiting = new Set<PromiseWithResolvers<Thing>>();

  /** Waits for a turn. Rejects with the signal's reason, and Fault `busy` when too many wait already. */
  async wait(signal: AbortSignal): Promise<Thing> {
    if (this.#waiting.size >= MAX_WAITING) {
      const state = `${MAX_WAITING} statements wait already`;
      throw new Fault("busy", `Cannot run the statement: ${state}. Try again when some have ended.`);
    }
    const waiter = Promise.withResolvers<Thing>();
    const leave = () => {
      this.#waiting.delete(waiter);
      waiter.reject(toFault(signal.reason));
    };
    this.#waiting.add(waiter);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await waiter.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Whoever has waited longest, out of the line. */
  next(): PromiseWithResolvers<Thing> | undefined {
    const [first] = this.#waiting;
    if (first !== undefined) this.#waiting.delete(first);
    return first;
  }
}
