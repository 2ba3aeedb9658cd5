/**
 * Text that grows piece by piece up to a number of UTF-8 bytes. It refuses what would not fit and never cuts a piece.
 */
import { byteLength, MAX_UNIT_BYTES } from "./utf8.ts";

/** Pieces are measured only when a bound by their length comes near: measuring each costs as much as writing it. */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #pieces: string[] = [];
  #measured = 0;
  /** Of the measured pieces. */
  #bytes = 0;
  /** UTF-16 units of the others. */
  #units = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False, and nothing is added, when the well-formed piece does not fit any more. */
  add(piece: string): boolean {
    const atMost = this.#bytes + MAX_UNIT_BYTES * (this.#units + piece.length);
    if (atMost > this.#maxBytes && !this.#fits(piece)) return false;
    this.#pieces.push(piece);
    this.#units += piece.length;
    return true;
  }

  /** V8 joins the pieces when somebody reads the text, and not at all where nobody does. */
  toString(): string {
    return this.#pieces.reduce((text, piece) => text + piece, "");
  }

  #fits(piece: string): boolean {
    this.#bytes += byteLength(this.#pieces.slice(this.#measured).join(""));
    this.#measured = this.#pieces.length;
    this.#units = 0;
    // A unit is at least a byte: a huge piece is refused without being encoded.
    const left = this.#maxBytes - this.#bytes;
    return piece.length <= left && byteLength(piece) <= left;
  }
}
