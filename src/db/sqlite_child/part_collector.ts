/**
 * Gathers the rows of a statement into parts and sends each that is full. Takes out of the rows what JSON can't carry.
 */
import type { Cell } from "../values.ts";
import { MAX_BYTES, Refusal } from "./connection.ts";
import { type OddCell, type Part, toOdd } from "./protocol.ts";

/** A part is sent when it has so many rows, or so many bytes of text and blobs, or has waited so long for its next row. */
const PART_ROWS = 256;
const PART_BYTES = 1 << 18;
const PART_MS = 20;

/** Sends a part that is not the last; false when no more are wanted. */
export type Send = (part: Part, blobs: readonly Uint8Array[]) => boolean;

export class PartCollector {
  readonly #send: Send;
  part: Part = emptyPart();
  blobs: Uint8Array[] = [];
  #bytes = 0;
  #since = Date.now();

  constructor(send: Send) {
    this.#send = send;
  }

  /** Takes the row over. False when the reader wants no more. */
  add(row: Cell[]): boolean {
    const before = this.#bytes;
    for (let column = 0; column < row.length; column++) {
      const cell = row[column];
      if (typeof cell === "string") this.#bytes += cell.length;
      else if (typeof cell === "bigint") {
        const number = Number(cell);
        row[column] = Number.isSafeInteger(number) ? number : this.#odd(column, toOdd(cell));
      } else if (typeof cell === "number") {
        if (!Number.isFinite(cell) || Object.is(cell, -0)) row[column] = this.#odd(column, toOdd(cell));
      } else if (cell instanceof Uint8Array) {
        this.blobs.push(cell);
        this.#bytes += cell.length;
        row[column] = this.#odd(column, cell.length);
      }
    }
    if (this.#bytes - before > MAX_BYTES) throw new Refusal("too_large");
    const count = this.part.rows.push(row);
    const isFull = count >= PART_ROWS || this.#bytes >= PART_BYTES || Date.now() - this.#since >= PART_MS;
    return !isFull || this.#flush();
  }

  /** Notes a cell of the row at hand that JSON can't carry, for which NULL stands in the row. */
  #odd(column: number, value: number | string): null {
    this.part.odd.push([this.part.rows.length, column, value]);
    return null;
  }

  #flush(): boolean {
    const { part, blobs } = this;
    this.part = emptyPart();
    this.blobs = [];
    this.#bytes = 0;
    const isWanted = this.#send(part, blobs);
    this.#since = Date.now();
    return isWanted;
  }
}

function emptyPart(): Part {
  const odd: OddCell[] = [];
  return { rows: [], odd, done: false };
}
