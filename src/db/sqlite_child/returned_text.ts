/**
 * The rows of RETURNING with the whole of their texts. No statement can stand around one that changes rows, so each value that
 * it returns is put into a call of a function of the program. Why at all is whole_text.ts's.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Lexis } from "../driver.ts";
import { SQLITE_LEXIS } from "../sqlite_lexis.ts";
import { quoteName } from "../sql_text.ts";
import { Statement } from "../statement.ts";
import type { RowReader } from "./whole_text.ts";

/** The authorizer keeps users' statements from calling it. */
export const CELL_FUNCTION = "saber_cell";

/** Bytes are handed out whole; the first one tells what they are. */
const BYTES = 0;
const TEXT = 1;

/** A person's own statement may have parameters. */
const LEXIS: Lexis = { ...SQLITE_LEXIS, parameters: [] };

export function defineCellFunction(database: DatabaseSync): void {
  const options = { useBigIntArguments: true, directOnly: true };
  database.function(CELL_FUNCTION, options, (value) => {
    if (value instanceof Uint8Array) return tagged(BYTES, value);
    if (typeof value === "string" && value.includes("\0")) {
      return tagged(TEXT, new TextEncoder().encode(value));
    }
    return value;
  });
}

function tagged(tag: number, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length + 1);
  whole[0] = tag;
  whole.set(bytes, 1);
  return whole;
}

/** `statement`: one of `wrapReturning`'s. */
export function returnedRows(statement: RowReader): RowReader {
  return {
    *iterate(...parameters) {
      for (const row of statement.iterate(...parameters)) yield untagged(row);
    },
    all: (...parameters) => statement.all(...parameters).map(untagged),
  };
}

function untagged(row: unknown): unknown {
  if (!Array.isArray(row)) return row;
  return row.map((cell) => {
    if (!(cell instanceof Uint8Array)) return cell;
    const bytes = cell.subarray(1);
    return cell[0] === TEXT ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : bytes;
  });
}

export interface Returning {
  /** Names of the columns that the statement gives. */
  readonly names: readonly string[];
  /** Whether SQLite takes a text for an expression. */
  isExpression(text: string): boolean;
}

/**
 * The statement with its values in calls; undefined for one that returns nothing, and for EXPLAIN. SQLite may refuse the text.
 * Throws Fault for text that is not divided into tokens for certain.
 */
export function wrapReturning(sql: string, { names, isExpression }: Returning): string | undefined {
  const statement = new Statement(sql, LEXIS);
  const at = statement.tokens.findIndex(({ depth }, each) =>
    depth === 0 && statement.word(each) === "RETURNING"
  );
  if (at < 0 || statement.word(0) === "EXPLAIN") return undefined;
  const items = itemsFrom(statement, at + 1).map((item) => expression(statement, { ...item, isExpression }));
  const calls = expand(items, names).map((item) => `${CELL_FUNCTION}(${item})`);
  return `${sql.slice(0, statement.tokens[at]?.end)} ${calls}`;
}

interface Range {
  readonly from: number;
  /** The last index. */
  readonly to: number;
}

function itemsFrom(statement: Statement, first: number): Range[] {
  const items: Range[] = [];
  let from = first;
  for (let at = first; at <= statement.last; at = Math.max(statement.pass(at), at + 1)) {
    if (statement.mark(at) !== ",") continue;
    items.push({ from, to: at - 1 });
    from = at + 1;
  }
  return [...items, { from, to: statement.last }];
}

/** An item without the name that is given to it. */
function expression(
  { sql, tokens }: Statement,
  { from, to, isExpression }: Range & Pick<Returning, "isExpression">,
): string {
  const textTo = (end: number) => sql.slice(tokens[from]?.start, tokens[end]?.end);
  // `x`, `x name` or `x AS name`
  const end = [to, to - 1, to - 2].find((each) => each >= from && isExpression(textTo(each)));
  return textTo(end ?? to);
}

/** Puts the columns' names where a `*` stands for them. */
function expand(items: readonly string[], names: readonly string[]): readonly string[] {
  const stars = items.filter((item) => item === "*").length;
  const width = (names.length - items.length + stars) / stars;
  let at = 0;
  return items.flatMap((item) => {
    const from = at;
    at += item === "*" ? width : 1;
    return item === "*" ? names.slice(from, at).map(quoteName) : [item];
  });
}
