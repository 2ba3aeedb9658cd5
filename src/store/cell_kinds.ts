/**
 * Which kinds of values each column of a result has. The stored rows alone do not say it: a float and a decimal, and text
 * and base64, look the same in JSON.
 */
import * as z from "zod/mini";
import { type Cell, Decimal, type Row } from "../db/values.ts";

const KINDS = ["boolean", "integer", "long", "float", "decimal", "text", "binary", "json"] as const;

/**
 * `integer`: one that a double holds, `long`: another one; `float`: a double that is no `integer`; `json`: a document, a
 * list or a struct. NULL is of no kind.
 */
export type CellKind = (typeof KINDS)[number];

const BIT = Object.fromEntries(KINDS.map((kind, at) => [kind, 1 << at]));

/** Collects the kinds of the rows that it is shown; one byte a column, and no garbage, for it sees every cell. */
export class CellKinds {
  readonly #seen: Uint8Array;

  constructor(columns: number) {
    this.#seen = new Uint8Array(columns);
  }

  add(row: Row): void {
    const seen = this.#seen;
    for (let at = 0; at < seen.length; at++) {
      const kind = kindOf(row[at] ?? null);
      if (kind !== undefined) seen[at] = (seen[at] ?? 0) | (BIT[kind] ?? 0);
    }
  }

  /** JSON text that `readCellKinds` reads. */
  toJson(): string {
    return JSON.stringify(Array.from(this.#seen, (bits) => KINDS.filter((kind) => bits & (BIT[kind] ?? 0))));
  }
}

const Stored = z.array(z.array(z.enum(KINDS)));

/** One set for each column. Throws for other text. */
export function readCellKinds(json: string): ReadonlySet<CellKind>[] {
  return Stored.parse(JSON.parse(json)).map((kinds) => new Set(kinds));
}

function kindOf(cell: Cell): CellKind | undefined {
  switch (typeof cell) {
    case "string":
      return "text";
    case "number":
      return Number.isSafeInteger(cell) && !Object.is(cell, -0) ? "integer" : "float";
    case "boolean":
      return "boolean";
    case "bigint":
      return "long";
    case "object":
      if (cell === null) return undefined;
      if (cell instanceof Decimal) return "decimal";
      return cell instanceof Uint8Array ? "binary" : "json";
  }
}
