/**
 * The line framer: bytes in, one record per line out.
 * It splits on 0x0A alone and knows nothing of what a line means.
 */

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
 * Memory: at most `maxBytes` of an unfinished line plus one chunk. Time: linear in the input.
 */
export class LineSplitter extends TransformStream<Uint8Array, Line> {
  constructor(options: LineOptions) {
    const framer = new Framer(options);
    super({
      transform: (chunk, controller) => framer.push(chunk, (line) => controller.enqueue(line)),
      flush: (controller) => framer.end((line) => controller.enqueue(line)),
    });
  }
}

type Emit = (line: Line) => void;

class Framer {
  readonly #options: LineOptions;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #parts: Uint8Array[] = [];
  #size = 0;
  #skipping = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array, emit: Emit): void {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LF, start);
      this.#take(chunk.subarray(start, end < 0 ? chunk.length : end), emit);
      if (end < 0) return;
      this.#finish(emit);
      start = end + 1;
    }
  }

  end(emit: Emit): void {
    if (this.#options.lastLine === "deliver") this.#finish(emit);
  }

  /** Adds bytes to the unfinished line; a CR that may belong to the terminator does not count against the limit. */
  #take(bytes: Uint8Array, emit: Emit): void {
    if (this.#skipping || bytes.length === 0) return;
    const size = this.#size + bytes.length;
    const allowed = this.#options.maxBytes + (bytes.at(-1) === CR ? 1 : 0);
    if (size > allowed) {
      this.#skipping = true;
      this.#forget();
      emit({ kind: "oversize" });
      return;
    }
    this.#parts.push(bytes.slice());
    this.#size = size;
  }

  #finish(emit: Emit): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const bytes = this.#join();
    this.#forget();
    const line = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    if (line.length > this.#options.maxBytes) return emit({ kind: "oversize" });
    try {
      const text = this.#decoder.decode(line);
      if (!BLANK.test(text)) emit({ kind: "line", text });
    } catch {
      emit({ kind: "invalid" });
    }
  }

  #join(): Uint8Array {
    const [first] = this.#parts;
    if (first && this.#parts.length === 1) return first;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  #forget(): void {
    this.#parts = [];
    this.#size = 0;
  }
}
