/**
 * Gathers the rows of a statement into parts and sends each that is full. Takes out of the rows what JSON can't carry, or
 * writes them as text.
 */
import { Fault } from "../../base/fault.ts";
import type { Cell, Row } from "../values.ts";
import { MAX_BYTES, Refusal } from "./connection.ts";
import { type OddCell, type Part, toOdd, toProblem } from "./protocol.ts";

/**
 * A part is sent when it has so many rows, or so many cells, or so many bytes of text and blobs, or has waited so long for its
 * next row. More cells at once would survive the small collections of V8, which then makes its heap larger.
 */
const PART_ROWS = 256;
const PART_CELLS = 1024;
const PART_BYTES = 1 << 18;
const PART_MS = 20;

const encoder = new TextEncoder();

/** Sends a part that is not the last; false when no more are wanted. */
export type Send = (part: Part, blobs: readonly Uint8Array[]) => boolean;

export class PartCollector {
  readonly #send: Send;
  readonly #toText: ((row: Row) => string) | undefined;
  #part: Part;
  #blobs: Uint8Array[] = [];
  #lines: string[] = [];
  #bytes = 0;
  #since = Date.now();

  /** `toText` writes a row on one line; without it, rows travel as cells. */
  constructor(
    send: Send,
    { columns, toText }: {
      readonly columns: Required<Part>["columns"];
      readonly toText: ((row: Row) => string) | undefined;
    },
  ) {
    this.#send = send;
    this.#toText = toText;
    this.#part = { ...this.#emptyPart(), columns };
  }

  /** Takes the row over. False when the reader wants no more. */
  add(row: Cell[]): boolean {
    const before = this.#bytes;
    const count = this.#toText ? this.#addText(row, this.#toText) : this.#addCells(row);
    if (this.#bytes - before > MAX_BYTES) throw new Refusal("too_large");
    const isFull = count >= PART_ROWS || count * row.length >= PART_CELLS || this.#bytes >= PART_BYTES ||
      Date.now() - this.#since >= PART_MS;
    return !isFull || this.#flush();
  }

  /** What was not sent. */
  last(): { part: Part; blobs: readonly Uint8Array[] } {
    const lines = this.#lines.length === 0 ? [] : [encoder.encode(this.#lines.join("\n"))];
    return { part: this.#part, blobs: this.#toText ? lines : this.#blobs };
  }

  #addText(row: Row, toText: (row: Row) => string): number {
    let text;
    try {
      text = toText(row);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      text = toProblem(error);
    }
    this.#bytes += text.length;
    return this.#lines.push(text);
  }

  #addCells(row: Cell[]): number {
    for (let column = 0; column < row.length; column++) {
      const cell = row[column];
      if (typeof cell === "string") this.#bytes += cell.length;
      else if (typeof cell === "bigint") {
        const number = Number(cell);
        row[column] = Number.isSafeInteger(number) ? number : this.#odd(column, toOdd(cell));
      } else if (typeof cell === "number") {
        if (!Number.isFinite(cell) || Object.is(cell, -0)) row[column] = this.#odd(column, toOdd(cell));
      } else if (cell instanceof Uint8Array) {
        this.#blobs.push(cell);
        this.#bytes += cell.length;
        row[column] = this.#odd(column, cell.length);
      }
    }
    return this.#part.rows.push(row);
  }

  /** Notes a cell of the row at hand that JSON can't carry, for which NULL stands in the row. */
  #odd(column: number, value: number | string): null {
    this.#part.odd.push([this.#part.rows.length, column, value]);
    return null;
  }

  #flush(): boolean {
    const { part, blobs } = this.last();
    this.#part = this.#emptyPart();
    this.#blobs = [];
    this.#lines = [];
    this.#bytes = 0;
    const isWanted = this.#send(part, blobs);
    this.#since = Date.now();
    return isWanted;
  }

  #emptyPart(): Part {
    const odd: OddCell[] = [];
    return { rows: [], odd, done: false, ...this.#toText && { isWritten: true } };
  }
}
