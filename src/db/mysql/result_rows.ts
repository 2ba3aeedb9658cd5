/**
 * The rows of one result as the library hands them out, made cells; and the results of a procedure after its first, which are
 * held until somebody asks for them.
 */
import type { FieldPacket } from "mysql2";
import type { Column, FurtherResult } from "../driver.ts";
import type { Cell, Row } from "../values.ts";
import { cellSize, type Reader } from "./cells.ts";
import { columnOf, takeOver } from "./columns.ts";

/** About how many bytes of a statement's further results are held. */
const MAX_BYTES = 16 * 1024 * 1024;

export class ResultRows {
  readonly columns: readonly Column[];
  readonly #readers: readonly Reader[];

  constructor(fields: readonly FieldPacket[]) {
    this.columns = fields.map(columnOf);
    this.#readers = fields.map(takeOver);
  }

  /** A row, and about how many bytes it takes. */
  read(values: readonly unknown[]): { readonly row: Row; readonly size: number } {
    const row: Cell[] = [];
    let size = 0;
    for (let index = 0; index < this.#readers.length; index++) {
      const value = values[index];
      const cell = value === null ? null : this.#readers[index]?.(value) ?? null;
      size += cellSize(cell);
      row.push(cell);
    }
    return { row, size };
  }
}

export class FurtherResults {
  readonly results: (FurtherResult & { rows: Row[]; isCut: boolean })[] = [];
  #last: ResultRows | undefined;
  #size = 0;

  begin(fields: readonly FieldPacket[]): void {
    this.#last = new ResultRows(fields);
    this.results.push({ columns: this.#last.columns, rows: [], isCut: false });
  }

  /** False when none has begun. */
  add(values: readonly unknown[]): boolean {
    const result = this.results.at(-1);
    if (this.#last === undefined || result === undefined) return false;
    const { row, size } = this.#last.read(values);
    this.#size += size + row.length * 8;
    if (this.#size > MAX_BYTES) result.isCut = true;
    else result.rows.push(row);
    return true;
  }
}
