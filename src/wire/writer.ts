/**
 * The one writer of a connection: whole lines in order, coalesced into few system calls, with back-pressure.
 * It knows nothing of what the lines say.
 */

/** Where bytes go; Deno.stdout is one. */
export interface Sink {
  /** Writes some of the bytes, which hold until it settles, and says how many. Throws when the other side is gone. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Text that waits beyond this many UTF-16 units makes `write` wait. */
const HIGH_WATER = 1 << 20;

/** What a writer keeps for the bytes of the next lines. */
const KEPT_BYTES = 1 << 19;
const encoder = new TextEncoder();

export class LineWriter {
  readonly #sink: Sink;
  readonly #broken = Promise.withResolvers<void>();
  #bytes = new Uint8Array();
  #queue: string[] = [];
  #queued = 0;
  #isBroken = false;
  #failure: unknown;
  #pump: Promise<void> | undefined;
  /** Settles when what is being written has been written. */
  #progress = Promise.withResolvers<void>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Settles when the other side has stopped reading for good; from then on lines are dropped. */
  get broken(): Promise<void> {
    return this.#broken.promise;
  }

  /** What kept a line from being written; undefined when nothing did, or only that the reader has left. */
  get failure(): unknown {
    return this.#failure instanceof Deno.errors.BrokenPipe ? undefined : this.#failure;
  }

  /** How much text waits to be written, in UTF-16 units. */
  get pending(): number {
    return this.#queued;
  }

  /** Queues one line (without its terminator), in pieces or whole. Settles at once, or when the queue is short again. */
  async write(...line: readonly string[]): Promise<void> {
    if (this.#isBroken) return;
    this.#queue.push(...line, "\n");
    for (const piece of line) this.#queued += piece.length;
    this.#queued++;
    this.#pump ??= this.#run();
    while (this.#queued > HIGH_WATER) await this.#progress.promise;
  }

  /** Settles when everything queued has been written or the other side is gone. */
  async drain(): Promise<void> {
    await this.#pump;
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // lines queued in this turn of the event loop travel together
    while (this.#queue.length > 0) {
      const pieces = this.#queue;
      const size = this.#queued;
      this.#queue = [];
      try {
        await this.#writeAll(this.#encode(pieces, size));
        this.#queued -= size;
      } catch (error) {
        this.#failure = error;
        this.#break();
      }
      this.#progress.resolve();
      this.#progress = Promise.withResolvers();
    }
    this.#pump = undefined;
  }

  /** So many UTF-16 units as UTF-8, in bytes that hold until the next call. Joining large pieces first would cost as much again. */
  #encode(pieces: readonly string[], units: number): Uint8Array {
    let bytes = this.#bytes.length < units ? new Uint8Array(units) : this.#bytes;
    let at = 0;
    for (const piece of pieces) {
      const { read, written } = encoder.encodeInto(piece, bytes.subarray(at));
      at += written;
      if (read === piece.length) continue;
      const rest = encoder.encode(piece.slice(read));
      const larger = new Uint8Array(Math.max(2 * bytes.length, at + rest.length));
      larger.set(bytes.subarray(0, at));
      larger.set(rest, at);
      bytes = larger;
      at += rest.length;
    }
    if (bytes.length <= KEPT_BYTES) this.#bytes = bytes;
    return bytes.subarray(0, at);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) rest = rest.subarray(await this.#sink.write(rest));
  }

  #break(): void {
    this.#isBroken = true;
    this.#queue = [];
    this.#queued = 0;
    this.#broken.resolve();
  }
}
