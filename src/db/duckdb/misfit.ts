/**
 * The words by which a query fails at a value that its column of a file cannot hold as it is. DuckDB says them: they stand in
 * the text that it is made to fail at, since a cast that fails lets filters pass below it and `error()` does not.
 */
import { quoteText } from "../sql_text.ts";

export interface Column {
  readonly name: string;
  readonly type: string;
  /** The file's name without its folders. */
  readonly file: string;
}

/** No more of a value is told. */
const MAX_CHARACTERS = 200;
const MISFIT =
  /["']((the column "[^]*" of [^]* is \S+ by its first values, and one further down does not fit it exactly): [^]*)["'] to \S+$/m;

export interface Misfit {
  /** Names no value. */
  readonly state: string;
  /** With the value. */
  readonly text: string;
}

/** An expression that fails, for a text `x` which is not NULL. */
export function failAt(x: string, { name, type, file }: Column): string {
  const words =
    `the column "${name}" of ${file} is ${type} by its first values, and one further down does not fit it exactly: `;
  return `CAST(${quoteText(words)} || left(${x}, ${MAX_CHARACTERS}) AS ${type})`;
}

/** From the message of DuckDB's error. */
export function parseMisfit(message: string): Misfit | undefined {
  const [, text, state] = MISFIT.exec(message) ?? [];
  return text === undefined || state === undefined ? undefined : { state, text };
}
