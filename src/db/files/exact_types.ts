/**
 * Types for columns of numbers that a double would bend: DuckDB guesses DOUBLE for every number that is no 64-bit integer.
 * Only the values looked at decide; a later one that does not fit fails the query that reads it.
 */
import { readRows } from "../duckdb/cells.ts";
import type { Row } from "../values.ts";
import { quoteName } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** Digits of DuckDB's widest decimals and integers. */
const MAX_DIGITS = 38;
/** Every number of so many digits survives a double. */
const SAFE_DIGITS = 15;

export interface Sample {
  /** A relation with the values as text. */
  readonly raw: string;
  readonly reader: Reader;
}

interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** For the columns that need one: HUGEINT, a DECIMAL, or VARCHAR where no number of DuckDB's is wide enough. */
export async function exactTypes(
  columns: readonly string[],
  sample: Sample,
): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for (const name of columns) {
    const digits = await digitsOf(name, sample);
    if (digits === undefined || digits.whole + digits.fraction <= SAFE_DIGITS) continue;
    const { whole, fraction } = digits;
    const scale = Math.max(0, Math.min(fraction, MAX_DIGITS - whole));
    if (whole <= MAX_DIGITS && !await isBent(name, { ...sample, scale })) continue;
    types.set(
      name,
      whole + fraction > MAX_DIGITS ? "VARCHAR" : fraction === 0 ? "HUGEINT" : `DECIMAL(38,${fraction})`,
    );
  }
  return types;
}

/** The most digits before and behind the point; undefined where a value is not written plainly, as `1e9` and `nan`. */
async function digitsOf(name: string, sample: Sample): Promise<Digits | undefined> {
  const [isPlain, whole, fraction] = await one(
    sample,
    `
    SELECT bool_and(regexp_full_match(x, '[+-]?[0-9]*[.]?[0-9]*')),
      max(length(regexp_extract(x, '^[+-]?0*([0-9]*)', 1))),
      max(length(regexp_extract(x, '[.]([0-9]*)$', 1)))
    FROM (SELECT trim(CAST(${quoteName(name)} AS VARCHAR)) AS x FROM ${sample.raw}) WHERE x IS NOT NULL`,
  );
  return isPlain === true ? { whole: Number(whole), fraction: Number(fraction) } : undefined;
}

/** Whether a value comes back from a double as another number. */
async function isBent(name: string, sample: Sample & { readonly scale: number }): Promise<boolean> {
  const type = `DECIMAL(38,${sample.scale})`;
  const [isBent] = await one(
    sample,
    `
    SELECT bool_or(TRY_CAST(x AS ${type}) IS DISTINCT FROM TRY_CAST(CAST(TRY_CAST(x AS DOUBLE) AS VARCHAR) AS ${type}))
    FROM (SELECT trim(CAST(${quoteName(name)} AS VARCHAR)) AS x FROM ${sample.raw})`,
  );
  return isBent === true;
}

async function one({ reader }: Sample, sql: string): Promise<Row> {
  const [row = []] = await readRows(await reader.connection.run(sql), reader.api);
  return row;
}
