/**
 * Text that grows piece by piece up to a number of UTF-8 bytes. It refuses what would not fit and never cuts a piece.
 */

const encoder = new TextEncoder();

export class BoundedText {
  readonly #maxBytes: number;
  readonly #pieces: string[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False, and nothing is added, when the piece does not fit any more. */
  add(piece: string): boolean {
    // A UTF-16 unit is at least one byte: a huge piece is refused without being encoded.
    if (this.#bytes + piece.length > this.#maxBytes) return false;
    const bytes = this.#bytes + encoder.encode(piece).length;
    if (bytes > this.#maxBytes) return false;
    this.#pieces.push(piece);
    this.#bytes = bytes;
    return true;
  }

  toString(): string {
    return this.#pieces.join("");
  }
}
