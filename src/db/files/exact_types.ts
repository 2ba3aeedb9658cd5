/**
 * Types for columns of numbers that a double would bend: DuckDB guesses DOUBLE for every number that is no 64-bit integer.
 * Only the values looked at decide; what becomes of later ones is exact_value.ts's.
 */
import { readRows } from "../duckdb/cells.ts";
import type { Row } from "../values.ts";
import { isExact } from "./exact_value.ts";
import { quoteName } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** Digits of DuckDB's widest decimals and integers. */
const MAX_DIGITS = 38;

export interface Sample {
  /** A relation with the values as text. */
  readonly raw: string;
  readonly reader: Reader;
}

/** For the columns that need one: HUGEINT, a DECIMAL, or VARCHAR where no number of DuckDB's is wide enough. */
export async function exactTypes(
  columns: readonly string[],
  sample: Sample,
): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for (const name of await bentColumns(columns, sample)) types.set(name, await exactType(name, sample));
  return types;
}

/** Those with a value that comes back from a double as another number. */
async function bentColumns(columns: readonly string[], sample: Sample): Promise<readonly string[]> {
  if (columns.length === 0) return [];
  const checks = columns.map((name) => `bool_or(NOT ${isExact(textOf(name), "DOUBLE")})`);
  const row = await one(sample, `SELECT ${checks} FROM ${sample.raw}`);
  return columns.filter((_, index) => row[index] === true);
}

/** By the most digits before and behind the point, where each value is a number. */
async function exactType(name: string, sample: Sample): Promise<string> {
  const [areNumbers, whole, fraction] = await one(
    sample,
    `
    SELECT bool_and(regexp_full_match(x, '[+-]?[0-9]*[.]?[0-9]*([eE][+-]?[0-9]{1,3})?')),
      max(length(regexp_extract(x, '^[+-]?0*([0-9]*)', 1)) + greatest(power, 0)),
      max(length(regexp_extract(x, '[.]([0-9]*)', 1)) - least(power, 0))
    FROM (
      SELECT x, coalesce(TRY_CAST(regexp_extract(x, '[eE](.*)', 1) AS INTEGER), 0) AS power
      FROM (SELECT trim(${textOf(name)}) AS x FROM ${sample.raw}) WHERE x IS NOT NULL
    )`,
  );
  if (areNumbers !== true || Number(whole) + Number(fraction) > MAX_DIGITS) return "VARCHAR";
  return fraction === 0 ? "HUGEINT" : `DECIMAL(38,${fraction})`;
}

function textOf(name: string): string {
  return `CAST(${quoteName(name)} AS VARCHAR)`;
}

async function one({ reader }: Sample, sql: string): Promise<Row> {
  const [row = []] = await readRows(await reader.connection.run(sql), reader.api);
  return row;
}
