/**
 * The sentence by which a query fails at a value that its column of a file cannot hold as it is. DuckDB says it: the sentence
 * stands in a text that cannot be cast, since a cast lets filters pass below it and `error()` does not.
 */
import { quoteText } from "../sql_text.ts";

export interface FileColumn {
  readonly name: string;
  readonly type: string;
  /** How dates and times are written in it, where that is not ISO 8601. */
  readonly format?: string | undefined;
  /** The file's name without its folders. */
  readonly file: string;
  /** The type was found by looking at all of the file. */
  readonly isOfAll: boolean;
}

/** No more of a value is told. */
const MAX_CHARACTERS = 200;
const START = "Cannot run the statement: the column ";
const VALUE = "The value: ";
const MISFIT = new RegExp(`'(${START}[^]*?) (${VALUE}[^]*)' to \\S+$`, "m");

export interface Misfit {
  /** Names no value. */
  readonly message: string;
  /** The value, and that it is one. */
  readonly value: string;
}

/** An expression of the column's type that fails, for a text `x` which is not NULL. */
export function failAt(x: string, { name, type, file, isOfAll }: FileColumn): string {
  const sentence = isOfAll
    ? `${START}"${name}" of ${file} has a number with more digits than DuckDB keeps there. Write it as text.`
    : `${START}"${name}" of ${file} is ${type} by its first values, and one further down does not fit it ` +
      "exactly. Open the file as csv:PATH?sample=all, which looks at all of it first.";
  const number = `CAST(${quoteText(`${sentence} ${VALUE}`)} || left(${x}, ${MAX_CHARACTERS}) AS INTEGER)`;
  return `CAST(CAST(${number} AS VARCHAR) AS ${type})`;
}

/** From the message of DuckDB's error. */
export function parseMisfit(duckdb: string): Misfit | undefined {
  const [, message, value] = MISFIT.exec(duckdb) ?? [];
  return message === undefined || value === undefined ? undefined : { message, value };
}
