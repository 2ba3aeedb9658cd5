/**
 * Rows with the whole of their texts. node:sqlite hands out a text up to its first NUL character, but gives all of it to
 * functions of the program; so a statement that reads is put into another one, which hands each of its rows to such a function.
 * Which statements that is done to is connection.ts's.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { Refusal } from "./connection.ts";

/** What rows are read from: a statement of node:sqlite that gives arrays, or one of those here. */
export interface RowReader {
  iterate(...parameters: readonly SQLInputValue[]): Iterator<unknown> & Iterable<unknown>;
  all(...parameters: readonly SQLInputValue[]): readonly unknown[];
}

/** The authorizer keeps users' statements from calling it. */
export const ROW_FUNCTION = "saber_row";
/** Arguments of one call; SQLite may take no more than 127. */
const MAX_ARGUMENTS = 100;
export class RowFunction {
  /** What was handed over and not yet taken, by calls. */
  #calls: unknown[][] = [];

  constructor(database: DatabaseSync) {
    // without bigint, Deno never returns from an integer beyond 2^53
    const options = { varargs: true, useBigIntArguments: true, directOnly: true };
    database.function(ROW_FUNCTION, options, (...cells) => this.#calls.push(cells));
  }

  /** `statement`: one of `wrap`'s, of a statement with so many columns. */
  reader(statement: StatementSync, width: number): RowReader {
    const perRow = Math.ceil(width / MAX_ARGUMENTS);
    return {
      iterate: (...parameters) => this.#iterate(statement.iterate(...parameters), perRow),
      all: (...parameters) => {
        this.#calls = [];
        return this.#take(statement.all(...parameters).length, perRow);
      },
    };
  }

  *#iterate(steps: Iterator<unknown>, perRow: number): Generator<unknown> {
    this.#calls = [];
    try {
      while (steps.next().done !== true) yield* this.#take(1, perRow);
    } finally {
      steps.return?.();
    }
  }

  #take(rows: number, perRow: number): readonly unknown[] {
    const calls = this.#calls;
    this.#calls = [];
    if (calls.length !== rows * perRow) throw new Refusal("sqlite", "the rows came in another order");
    if (perRow === 1) return calls;
    return Array.from({ length: rows }, (_, row) => calls.slice(row * perRow, (row + 1) * perRow).flat());
  }
}

/** The statement around one that has `width` columns. Its own text may end in a comment or a semicolon. */
export function wrap(sql: string, width: number): string {
  const names = Array.from({ length: width }, (_, index) => `c${index}`);
  const calls: string[] = [];
  for (let from = 0; from < width; from += MAX_ARGUMENTS) {
    calls.push(`${ROW_FUNCTION}(${names.slice(from, from + MAX_ARGUMENTS)})`);
  }
  // a name that the statement itself cannot mean
  let table = "saber_rows";
  while (sql.toLowerCase().includes(table)) table += "_";
  return `WITH ${table}(${names}) AS (\n${sql.replace(/;$/, "")}\n) SELECT ${calls} FROM ${table}`;
}
