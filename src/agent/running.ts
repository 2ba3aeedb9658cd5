/**
 * The run that is going on, as its session holds it: how it is stopped, and what waits to be told to the model.
 */
import { Fault } from "../base/fault.ts";
import type { UserMessage } from "../llm/provider.ts";

/** How long a run may take to end by itself once it was stopped. */
const GRACE_MS = 500;
/** What a user may say in mid-run before the model has been told any of it. */
const MAX_STEERS = 100;

export class Running {
  /** Set when the run has come to its end, if only its last event is still to be read. */
  status: "completed" | "aborted" | "error" | undefined;
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  #steers: UserMessage[] = [];
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Settles when the last event has been read, or the events were left. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get steers(): readonly UserMessage[] {
    return this.#steers;
  }

  /** Cooperative first, hard after half a second. */
  stop(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#timer = setTimeout(() => this.#cut.abort(), GRACE_MS);
  }

  /** Whether what the user says now still reaches the model. */
  get isOpen(): boolean {
    return !this.#closed && !this.#stop.signal.aborted;
  }

  /** Throws Fault `busy` when too much waits already. */
  addSteer(message: UserMessage): void {
    if (this.#steers.length >= MAX_STEERS) {
      throw new Fault("busy", `Cannot steer: ${MAX_STEERS} messages wait already.`);
    }
    this.#steers.push(message);
  }

  /** `orClose`: when there are none, there will be none. */
  takeSteers({ orClose = false } = {}): readonly UserMessage[] {
    const taken = this.#steers;
    this.#steers = [];
    if (orClose && taken.length === 0) this.#closed = true;
    return taken;
  }

  /** Takes no more steers, and gives back those that were never told. */
  close(): readonly UserMessage[] {
    this.#closed = true;
    return this.takeSteers();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over.resolve();
  }
}
