/**
 * Keeps timers going while DuckDB works. Deno 2.7 forgets timers that are set in the callback of another timer around
 * native work, until some other timer is due; there, one that recurs brings them back. Later versions do without.
 */

/** Milliseconds from beat to beat; undefined: none is needed. */
const EVERY_MS = Deno.version.deno.startsWith("2.7.") ? 50 : undefined;

export class Heartbeat {
  #timer: ReturnType<typeof setInterval> | undefined;

  start(): void {
    if (EVERY_MS !== undefined) this.#timer ??= setInterval(() => {}, EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
