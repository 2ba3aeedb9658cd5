/**
 * Columns of text files that are read as text and cast value by value, so that a value which its type would round, such as 1.5
 * as an integer, fails the query that reads it. DuckDB's own readers round without a word.
 */
import { failAt, type FileColumn } from "../duckdb/misfit.ts";
import { quoteText } from "../sql_text.ts";
import { isExactTime, isTime } from "./exact_time.ts";

/** Whether a column of the type could bend what is read into it. */
export function mayBend(type: string): boolean {
  return /^(?:U?BIGINT|HUGEINT|DOUBLE|DECIMAL\(.*\))$/.test(type) || isTime(type);
}

/** The text `x` as a value of the column's type. */
export function exactValue(x: string, column: FileColumn): string {
  const misfit = failAt(x, column);
  return `CASE WHEN ${isExact(x, column.type)} THEN coalesce(${read(x, column)}, ${misfit})
    WHEN ${x} IS NOT NULL THEN ${misfit} END`;
}

/** The text `x` as its type reads it; NULL for one that is none of the type. */
export function read(x: string, { type, format }: Pick<FileColumn, "type" | "format">): string {
  return format === undefined
    ? `TRY_CAST(${x} AS ${type})`
    : `CAST(TRY_STRPTIME(${x}, ${quoteText(format)}) AS ${type})`;
}

/**
 * A condition: a value of the type is the same number, or time, as the text `x`. It holds for texts that are none, and not for
 * NULL. What costs least comes first.
 */
export function isExact(x: string, type: string): string {
  if (isTime(type)) return isExactTime(x, type);
  const value = `TRY_CAST(${x} AS ${type})`;
  const text = `CAST(${value} AS VARCHAR)`;
  const short = type === "DOUBLE" ? shortDoubles(x, value) : fittingDigits(x, type);
  const same = `WHEN ${text} = ${x}`;
  // integers become text again sooner than a pattern is matched
  const cases = type.endsWith("INT") ? [same, short] : [short, same];
  return `CASE ${cases.map((each) => `${each} THEN true`).join(" ")}
    ELSE ${value} IS NULL OR ${digits(x)} = ${digits(text)} END`;
}

/** A double holds any 15 digits, but not every exponent. */
function shortDoubles(x: string, value: string): string {
  return `WHEN strlen(${x}) < 16 AND NOT contains(${x}, 'e') AND NOT contains(${x}, 'E') THEN true
    WHEN strlen(${x}) < 16 AND abs(${value}) BETWEEN 1e-290 AND 1e290`;
}

/** Texts without more digits behind the point than the type has, and without an exponent. */
function fittingDigits(x: string, type: string): string {
  const [, scale] = /,(\d+)\)$/.exec(type) ?? [];
  return scale === undefined
    ? `WHEN regexp_full_match(${x}, '[^.eE]*|\\s*0[xX].*')`
    : `WHEN NOT regexp_matches(${x}, '[.][0-9]{${scale}}[0-9]|[eE]')`;
}

/** What is left of a number without its sign, point, exponent, and zeros at both ends: nothing of 0, inf and nan. */
export function digits(text: string): string {
  return `trim(regexp_replace(regexp_replace(${text}, '[eE].*', ''), '[^0-9]', '', 'g'), '0')`;
}
