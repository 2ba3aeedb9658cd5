/**
 * When a failed answer is asked for again, and how long that waits.
 */
import type { AgentEnd } from "../../agent/events.ts";
import type { Emit } from "./message_teller.ts";

const MAX_ATTEMPTS = 10;
/** The first wait; each further one is twice as long, up to the longest. */
const FIRST_MS = 500;
const LONGEST_MS = 8000;

/** Longer waits than this, which a server may ask for, are not waited for. */
const MAX_ASKED_MS = 300_000;

interface Failure {
  readonly error: string;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly afterMs: number | undefined;
  readonly emit: Emit;
}

export class Retries {
  isEnabled = true;
  #waiting: AbortController | undefined;

  /** Ends a wait that goes on: the answer is not asked for again. */
  stop(): void {
    this.#waiting?.abort();
  }

  /** Tells of the wait and waits; whether the answer is to be asked for again. `attempt` counts from 1. */
  async wait(
    attempt: number,
    { error, afterMs = 0, emit }: Failure,
  ): Promise<boolean> {
    if (!this.isEnabled || afterMs > MAX_ASKED_MS) return false;
    if (attempt > MAX_ATTEMPTS) {
      await emit("auto_retry_end", { success: false, attempt: attempt - 1, finalError: error });
      return false;
    }
    const waiting = new AbortController();
    this.#waiting = waiting;
    const planned = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.9 + Math.random() / 5);
    const delayMs = Math.round(Math.max(planned, afterMs));
    await emit("auto_retry_start", { attempt, maxAttempts: MAX_ATTEMPTS, delayMs, errorMessage: error });
    await pause(delayMs, waiting.signal);
    this.#waiting = undefined;
    if (!waiting.signal.aborted) return true;
    await emit("auto_retry_end", { success: false, attempt, finalError: "Retry cancelled" });
    return false;
  }
}

/** Settles after the time, or when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

/** Failures that may be gone a moment later: the server's load, its silence, the connection. */
export function isRetryable(end: AgentEnd): boolean {
  return end.status === "error" && end.fault.retry !== undefined;
}
