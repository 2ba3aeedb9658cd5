/**
 * The events of one run, from the prompt to its `agent_end`, for one reader.
 */
import type { RunEvent } from "./types.ts";

/** Unread events, in UTF-16 units of their lines, above which nothing more is read from saber. */
const MAX_UNREAD = 8 << 20;

interface Unread {
  readonly event: RunEvent;
  readonly size: number;
}

/**
 * Read it in a `for await` loop. Leaving the loop aborts the run. Events that nobody reads are held up to 8 MiB; then the
 * client stops reading, and saber slows the model.
 */
export class Run implements AsyncIterableIterator<RunEvent, undefined> {
  readonly #abort: () => Promise<unknown>;
  #unread: Unread[] = [];
  #size = 0;
  #isOver = false;
  #error: Error | undefined;
  #waiting: (() => void)[] = [];

  /** `abort` is called when the reader leaves before the end. */
  constructor(abort: () => Promise<unknown>) {
    this.#abort = abort;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Throws GoneError when saber has gone. */
  async next(): Promise<IteratorResult<RunEvent, undefined>> {
    while (true) {
      const first = this.#unread.shift();
      if (first) {
        this.#size -= first.size;
        this.#tell();
        return { value: first.event };
      }
      if (this.#error) throw this.#error;
      if (this.#isOver) return { done: true, value: undefined };
      await this.#change();
    }
  }

  async return(): Promise<IteratorResult<RunEvent, undefined>> {
    const wasOpen = this.isOpen;
    this.abandon();
    if (wasOpen) await this.#abort();
    return { done: true, value: undefined };
  }

  /** Whether more events are to come from saber. */
  get isOpen(): boolean {
    return !this.#isOver && this.#error === undefined;
  }

  /** Takes no more events, and forgets those that nobody has read. */
  abandon(): void {
    this.#isOver = true;
    this.#unread = [];
    this.#size = 0;
    this.#tell();
  }

  /** Takes an event; settles when there is room for another one. */
  async push(event: RunEvent, size: number): Promise<void> {
    if (this.#isOver) return;
    this.#unread.push({ event, size });
    this.#size += size;
    this.#isOver = event.type === "agent_end";
    this.#tell();
    while (this.#size > MAX_UNREAD) await this.#change();
  }

  /** Ends it after what was read. */
  fail(error: Error): void {
    this.#error = error;
    this.#tell();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
