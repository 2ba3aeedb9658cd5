/**
 * Puts the small pieces in which a model writes together before a host is told of them: what is told stays in
 * proportion to the answer, however small the pieces are. The first piece is told at once. What a telling looks like is
 * the mode's.
 */
import type { AgentEvent } from "../../agent/events.ts";

export type Update = Extract<AgentEvent, { type: "message_update" }>["update"];
export type Delta = Extract<Update, { delta: string }>;

/** Characters that are always enough to be told. */
const MIN_DELTA = 2048;
/** The share of the message that a piece waits to be. */
const SHARE = 1 / 16;
/** How long a piece waits, by the size of the message in characters. */
const WAITS: readonly { readonly below: number; readonly ms: number }[] = [
  { below: 16 << 10, ms: 40 },
  { below: 64 << 10, ms: 250 },
  { below: Infinity, ms: 1000 },
];

/** The pieces of one message. */
export class DeltaBundler {
  readonly #tell: (delta: Delta) => Promise<void>;
  #size = 0;
  #waiting: Delta | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = -Infinity;
  /** Tellings follow each other, also those that a timer begins. */
  #telling: Promise<void> = Promise.resolve();

  constructor(tell: (delta: Delta) => Promise<void>) {
    this.#tell = tell;
  }

  /** Tells what waits if it cannot go on with this piece. */
  async turnTo({ type, contentIndex }: Delta): Promise<void> {
    const waiting = this.#waiting;
    if (waiting && (waiting.type !== type || waiting.contentIndex !== contentIndex)) await this.flush();
  }

  async take(delta: Delta): Promise<void> {
    await this.turnTo(delta);
    const text = (this.#waiting?.delta ?? "") + delta.delta;
    this.#waiting = { ...delta, delta: text };
    this.#size += delta.delta.length;
    const wait = waitFor(this.#size);
    const isDue = text.length >= Math.max(MIN_DELTA, this.#size * SHARE) ||
      performance.now() - this.#toldAt >= wait;
    if (isDue) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), wait);
  }

  /** Tells what waits; to be called before anything else is told. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const delta = this.#waiting;
    this.#waiting = undefined;
    if (delta) {
      this.#toldAt = performance.now();
      this.#telling = this.#telling.then(() => this.#tell(delta));
      this.#telling.catch(() => {}); // whoever flushes next learns of it
    }
    await this.#telling;
  }
}

function waitFor(size: number): number {
  return WAITS.find(({ below }) => size < below)?.ms ?? 0;
}
