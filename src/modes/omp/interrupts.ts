/**
 * Cuts short what reads and takes its time, when the user says something that the model should hear at once.
 */
import { Fault } from "../../base/fault.ts";

/** What is younger may come to its end. */
const YOUNG_MS = 2000;

interface Guarded {
  readonly since: number;
  readonly cut: AbortController;
}

export class Interrupts {
  readonly #guarded = new Set<Guarded>();
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** The user has said something. */
  steered(): void {
    for (const { since, cut } of this.#guarded) {
      const rest = Math.max(0, YOUNG_MS - (performance.now() - since));
      this.#timers.push(setTimeout(() => cut.abort(), rest));
    }
  }

  /** Runs what may be cut short. Throws Fault `cancelled` with a sentence for the model when it was. */
  async guard<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const guarded = { since: performance.now(), cut: new AbortController() };
    this.#guarded.add(guarded);
    try {
      return await work(AbortSignal.any([signal, guarded.cut.signal]));
    } catch (error) {
      if (!guarded.cut.signal.aborted || signal.aborted) throw error;
      throw new Fault(
        "cancelled",
        "Skipped due to queued user message. The statement was stopped: read what the user says first.",
      );
    } finally {
      this.#guarded.delete(guarded);
      if (this.#guarded.size === 0) { for (const timer of this.#timers.splice(0)) clearTimeout(timer); }
    }
  }
}
