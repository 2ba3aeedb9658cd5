/**
 * The rows of a compiled statement: one after another, or fetched at once where that is safe. An array of rows costs
 * node:sqlite a third of the time that iterating over them does.
 */
import type { SQLInputValue } from "node:sqlite";
import type { Connection } from "./connection.ts";
import type { RowReader } from "./whole_text.ts";

/** Statements that end by a LIMIT of their own after so many rows may be fetched at once. */
const AT_ONCE_ROWS = 2000;
/** What such rows may take together, in bytes; longer values are left to the iterator. */
const AT_ONCE_BYTES = 256 * 2 ** 20;
/** What is fetched at once shows no row before the last, so the first rows must have come fast. */
const PROBE_ROWS = 16;
const PROBE_MS = 3;

type Rows = readonly unknown[];

export interface RowOptions {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
  /** The number of columns. */
  readonly width: number;
  /** Nobody looks at the first rows before the last is there. */
  readonly isWhole: boolean;
}

/** Each row is an array. Leaving the loop resets the statement. Throws SQLite's failure, also one behind the first rows. */
export function readRows(
  connection: Connection,
  reader: RowReader,
  { sql, parameters, width, isWhole }: RowOptions,
): Iterable<unknown> {
  const most = ownLimit(sql) ?? Infinity;
  if (most > AT_ONCE_ROWS) return iterate(connection, reader, { parameters });
  const valueBytes = Math.floor(AT_ONCE_BYTES / Math.max(1, most * width));
  const atOnce = () => connection.fetchAtOnce(reader, { parameters, valueBytes });
  return isWhole
    ? atOnce() ?? iterate(connection, reader, { parameters })
    : iterate(connection, reader, { parameters, atOnce });
}

/** `atOnce` fetches all rows, where the first ones may be waited for so long. */
function* iterate(
  connection: Connection,
  reader: RowReader,
  { parameters, atOnce }: Pick<RowOptions, "parameters"> & { readonly atOnce?: () => Rows | undefined },
): Generator<unknown> {
  const rows = reader.iterate(...parameters);
  try {
    const first = atOnce ? probe(rows) : [];
    if (atOnce === undefined || first.length < PROBE_ROWS) {
      yield* first;
      yield* rows;
    } else {
      // Nothing was handed over yet, and a statement that writes does not end in a LIMIT. Without the return, node:sqlite
      // would go on behind the first rows.
      rows.return?.();
      yield* atOnce() ?? reader.iterate(...parameters);
    }
    connection.throwIfFailed();
  } finally {
    rows.return?.();
  }
}

/** The number after a LIMIT that ends the text, or stands before an OFFSET that does; undefined where a comment might hold it. */
function ownLimit(sql: string): number | undefined {
  if (sql.includes("--") || sql.includes("/*")) return undefined;
  const digits = /\blimit\s+(\d{1,9})(?:\s+offset\s+\d{1,15})?[\s;]*$/i.exec(sql)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The first rows, as many as come in a moment. */
function probe(rows: Iterator<unknown>): unknown[] {
  const end = performance.now() + PROBE_MS;
  const first: unknown[] = [];
  while (first.length < PROBE_ROWS && performance.now() < end) {
    const { done, value } = rows.next();
    if (done) break;
    first.push(value);
  }
  return first;
}
