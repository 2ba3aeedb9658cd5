/**
 * The line framer: bytes in, one record per line out.
 * It splits on 0x0A alone and knows nothing of what a line means.
 */

import { ChunkReader } from "./chunks.ts";

/** A whole line as text, or a line that could not be delivered; the rest of such a line is dropped. */
export type Line =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "oversize" }
  | { readonly kind: "invalid" };

export interface LineOptions {
  /** The longest line that is delivered, in bytes, terminator not counted. */
  readonly maxBytes: number;
  /** What becomes of a last line without terminator at the end of the input. */
  readonly lastLine: "deliver" | "drop";
}

const LF = 0x0a;
const CR = 0x0d;
const BLANK = /^[ \t\r]*$/;

/**
 * Bytes to lines. A trailing CR and a leading byte order mark are stripped, blank lines ignored.
 * Memory: at most twice `maxBytes` of an unfinished line, plus one chunk and its lines. Time: linear in the input.
 */
export class LineReader {
  readonly #chunks: ChunkReader;
  readonly #framer: Framer;
  /** The lines of the last chunk, and how many of them were read. */
  #lines: Line[] = [];
  #read = 0;
  #isEnded = false;

  constructor(input: ReadableStream<Uint8Array>, options: LineOptions) {
    this.#chunks = new ChunkReader(input);
    this.#framer = new Framer(options);
  }

  /** The next line; undefined at the end. Throws what the input fails with. */
  async next(): Promise<Line | undefined> {
    while (this.#read === this.#lines.length && !this.#isEnded) {
      this.#lines = [];
      this.#read = 0;
      const emit = (line: Line) => this.#lines.push(line);
      const chunk = await this.#chunks.next();
      if (chunk !== undefined) this.#framer.push(chunk, emit);
      else {
        this.#isEnded = true;
        this.#framer.end(emit);
      }
    }
    return this.#lines[this.#read++];
  }

  /** Ends the reading, also one that is under way. */
  async cancel(): Promise<void> {
    await this.#chunks.cancel();
  }
}

type Emit = (line: Line) => void;

/** What the buffer of unfinished lines may keep between lines, in bytes. */
const KEPT = 1 << 16;

class Framer {
  readonly #options: LineOptions;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** The unfinished line: the first `#size` bytes. */
  #buffer = new Uint8Array();
  #size = 0;
  #skipping = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array, emit: Emit): void {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LF, start);
      if (end < 0) return this.#keep(chunk.subarray(start), emit);
      this.#finish(chunk.subarray(start, end), emit);
      start = end + 1;
    }
  }

  end(emit: Emit): void {
    if (this.#options.lastLine === "deliver") this.#finish(new Uint8Array(), emit);
  }

  /** Adds bytes to the unfinished line; a CR that may belong to the terminator does not count against the limit. */
  #keep(bytes: Uint8Array, emit: Emit): void {
    if (this.#skipping) return;
    const allowed = this.#options.maxBytes + (bytes.at(-1) === CR ? 1 : 0);
    if (this.#size + bytes.length <= allowed) return this.#append(bytes);
    this.#skipping = true;
    this.#forget();
    emit({ kind: "oversize" });
  }

  #finish(rest: Uint8Array, emit: Emit): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    if (this.#size > 0) this.#append(rest);
    const bytes = this.#size > 0 ? this.#buffer.subarray(0, this.#size) : rest;
    const line = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    if (line.length > this.#options.maxBytes) emit({ kind: "oversize" });
    else this.#decode(line, emit);
    this.#forget();
  }

  #decode(line: Uint8Array, emit: Emit): void {
    let text;
    try {
      text = this.#decoder.decode(line);
    } catch {
      return emit({ kind: "invalid" });
    }
    if (!BLANK.test(text)) emit({ kind: "line", text });
  }

  /** Doubles the buffer when it is full, so that a line in many small chunks costs linear time. */
  #append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length;
    if (size > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#size));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#size);
    this.#size = size;
  }

  #forget(): void {
    this.#size = 0;
    if (this.#buffer.length > KEPT) this.#buffer = new Uint8Array();
  }
}
