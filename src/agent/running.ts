/**
 * The run that is going on, as its session holds it: how it is stopped, and whether it still listens.
 */
import type { Delivery, MessageQueue, Moment } from "./message_queue.ts";

/** How long a run may take to end by itself once it was stopped. */
const GRACE_MS = 500;

export class Running {
  /** Set when the run has come to its end, if only its last event is still to be read. */
  status: "completed" | "aborted" | "error" | undefined;
  /** The model has come to its end, and the turn is being kept. */
  isKeeping = false;
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  readonly #queue: MessageQueue;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queue: MessageQueue) {
    this.#queue = queue;
  }

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

  /** `atEnd`: the model has come to its end, and when nothing waits, nothing more is taken. */
  take(moment: Moment): Delivery | undefined {
    const delivery = this.#queue.take(moment);
    if (moment.atEnd && !delivery) this.#closed = true;
    return delivery;
  }

  close(): void {
    this.#closed = true;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over.resolve();
  }
}
