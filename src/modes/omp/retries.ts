/**
 * When a failed answer is asked for again, and how long that waits. Each series of attempts that a host is told of has
 * an end that it is told of, too.
 */
import type { AgentEnd } from "../../agent/events.ts";
import type { Fault } from "../../base/fault.ts";
import { pause } from "../../base/pause.ts";
import type { Emit } from "./message_teller.ts";

const MAX_ATTEMPTS = 10;
/** The first wait; each further one is twice as long, up to the longest. */
const FIRST_MS = 500;
const LONGEST_MS = 8000;

/** Longer waits than this, which a server may ask for, are not waited for. */
const MAX_ASKED_MS = 300_000;

type Failure = Extract<AgentEnd, { status: "error" }>;

export class Retries {
  isEnabled = true;
  readonly #emit: Emit;
  /** Attempts since the last answer; a host that was told of one waits for the end of them. */
  #attempt = 0;
  #waiting: AbortController | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Ends a wait that goes on: the answer is not asked for again. */
  stop(): void {
    this.#waiting?.abort();
  }

  /**
   * Tells of the wait and waits. What may be gone a moment later is asked for again. `over`: not this one, or not once more; `cancelled`: the user has ended the wait.
   */
  async again({ error, fault }: Failure): Promise<"again" | "over" | "cancelled"> {
    const { afterMs = 0 } = fault.retry ?? {};
    if (!this.isEnabled || !mayPass(fault) || afterMs > MAX_ASKED_MS) return "over";
    if (this.#attempt >= MAX_ATTEMPTS) return "over";
    const attempt = ++this.#attempt;
    const waiting = new AbortController();
    this.#waiting = waiting;
    const planned = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.9 + Math.random() / 5);
    const delayMs = Math.round(Math.max(planned, afterMs));
    await this.#emit("auto_retry_start", {
      attempt,
      maxAttempts: MAX_ATTEMPTS,
      delayMs,
      errorMessage: error,
    });
    await pause(delayMs, waiting.signal);
    this.#waiting = undefined;
    if (!waiting.signal.aborted) return "again";
    await this.failed("Retry cancelled");
    return "cancelled";
  }

  /** An answer has come. */
  async succeeded(): Promise<void> {
    const attempt = this.#attempt;
    this.#attempt = 0;
    if (attempt > 0) await this.#emit("auto_retry_end", { success: true, attempt });
  }

  /** It is not asked for any more. */
  async failed(finalError: string): Promise<void> {
    const attempt = this.#attempt;
    this.#attempt = 0;
    if (attempt > 0) await this.#emit("auto_retry_end", { success: false, attempt, finalError });
  }
}

/** Failures that may be gone a moment later: the server's load, its silence, the connection. */
export function mayPass({ retry, code }: Fault): boolean {
  return retry !== undefined || code === "model_timeout";
}
