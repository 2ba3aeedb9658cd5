/**
 * A sign of life on the last line of the terminal while something is waited for: what, and for how long. It is gone without
 * a trace when the waiting ends.
 */
import { duration } from "./count_and_time.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./plain_text.ts";

export interface SpinnerOptions {
  /** Writes to the terminal as it is. */
  write(text: string): void;
  readonly paint: Paint;
  /** What is waited for, in a word or two. */
  readonly label: string;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const EVERY_MS = 100;
/** Shorter waits show nothing. */
const PATIENCE_MS = 300;

/** Turns from now on until it is disposed of. */
export class Spinner implements Disposable {
  readonly #options: SpinnerOptions;
  readonly #start = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #turns = 0;

  constructor(options: SpinnerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#turn(), EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#turns > 0) this.#options.write("\r\x1b[K");
    this.#turns = 0;
  }

  #turn(): void {
    const { write, paint, label } = this.#options;
    const ms = performance.now() - this.#start;
    if (ms < PATIENCE_MS) return;
    this.#turns++;
    write(`\r\x1b[K${signOfLife({ label, ms, paint })}`);
  }
}

/** `⠹ running 1.2 s` */
export function signOfLife({ label, ms, paint }: { label: string; ms: number; paint: Paint }): string {
  const turns = Math.floor(ms / EVERY_MS);
  const frame = FRAMES[turns % FRAMES.length] ?? "";
  return `${paint("accent", frame)} ${paint("muted", `${oneLine(label)} ${duration(turns * EVERY_MS)}`)}`;
}
