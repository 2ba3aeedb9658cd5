/**
 * Rows as the bytes that are stored, with as little garbage as can be: a million wide rows would otherwise leave gigabytes of
 * short strings behind, for which V8 makes its heap larger. What a cell looks like is db/values.ts's; only whole numbers and
 * short plain text, which most cells are, are written here directly.
 */
import { quote } from "../base/json.ts";
import { MAX_UNIT_BYTES } from "../base/utf8.ts";
import { type Cell, cellToJson, DIGITS, type Row } from "../db/values.ts";

/** Bytes at first; a row that needs more makes it larger. */
const SIZE = 1 << 16;
/** Longer text is left to the encoder, which is slow to begin and then fast. */
const SHORT = 64;
/** What a short cell takes at most, in bytes. */
const MAX_SHORT_BYTES = SHORT + 2;
const [LF, QUOTE, MINUS, ZERO, BACKSLASH, BEGIN, END] = [0x0a, 0x22, 0x2d, 0x30, 0x5c, 0x7b, 0x7d];

export class RowBytes {
  readonly #keys: readonly Uint8Array[];
  readonly #encoder = new TextEncoder();
  #buffer = new Uint8Array(SIZE);

  /** `names` must be unique. */
  constructor(names: readonly string[]) {
    const keys = names.map((name, index) => `${index === 0 ? "" : ","}${quote(name)}:`);
    this.#keys = keys.map((key) => this.#encoder.encode(key));
  }

  /** The row as a JSON object and LF. The bytes are the caller's until the next call. */
  write(row: Row): Uint8Array {
    let at = 0;
    let index = 0;
    this.#buffer[at++] = BEGIN;
    for (const key of this.#keys) {
      this.#reserve(at, key.length + MAX_SHORT_BYTES);
      const buffer = this.#buffer;
      for (let byte = 0; byte < key.length; byte++) buffer[at++] = key[byte] ?? 0;
      const cell = row[index++] ?? null;
      const end = putShort(buffer, { at, cell });
      at = end >= 0 ? end : this.#putText(cellToJson(cell, DIGITS), at);
    }
    this.#reserve(at, 2);
    this.#buffer[at++] = END;
    this.#buffer[at++] = LF;
    return this.#buffer.subarray(0, at);
  }

  #putText(text: string, at: number): number {
    this.#reserve(at, text.length * MAX_UNIT_BYTES);
    return at + this.#encoder.encodeInto(text, this.#buffer.subarray(at)).written;
  }

  #reserve(at: number, bytes: number): void {
    if (at + bytes <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#buffer.length, at + bytes));
    larger.set(this.#buffer.subarray(0, at));
    this.#buffer = larger;
  }
}

/** Writes a cell of at most MAX_SHORT_BYTES and gives the place behind it; -1 for a cell that is to be written otherwise. */
function putShort(buffer: Uint8Array, { at, cell }: { at: number; cell: Cell }): number {
  if (typeof cell === "string") return cell.length > SHORT ? -1 : putPlain(buffer, { at, text: cell });
  if (typeof cell !== "number" || Object.is(cell, -0)) return -1;
  return Number.isSafeInteger(cell) ? putInteger(buffer, { at, value: cell }) : -1;
}

/** -1 for text with anything that JSON escapes, or that has more than a byte in UTF-8. */
function putPlain(buffer: Uint8Array, { at, text }: { at: number; text: string }): number {
  let end = at;
  buffer[end++] = QUOTE;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return -1;
    buffer[end++] = unit;
  }
  buffer[end++] = QUOTE;
  return end;
}

function putInteger(buffer: Uint8Array, { at, value }: { at: number; value: number }): number {
  let rest = Math.abs(value);
  let end = at;
  if (value < 0) buffer[end++] = MINUS;
  end++;
  for (let power = 10; power <= rest; power *= 10) end++;
  let place = end;
  do {
    const tenth = Math.floor(rest / 10);
    buffer[--place] = ZERO + (rest - tenth * 10);
    rest = tenth;
  } while (rest > 0);
  return end;
}
