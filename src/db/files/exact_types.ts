/**
 * Types for columns whose guessed ones would bend a value: DuckDB guesses DOUBLE for every number that is no 64-bit integer, and
 * microseconds for every time.
 * Only the values looked at decide; what becomes of later ones is exact_value.ts's.
 */
import { readRows } from "../duckdb/cells.ts";
import type { Row } from "../values.ts";
import { fitsNanoseconds, isTime } from "./exact_time.ts";
import type { FileColumn } from "../duckdb/misfit.ts";
import { isExact, read } from "./exact_value.ts";
import { quoteName } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** Digits of DuckDB's widest decimals and integers. */
const MAX_DIGITS = 38;

export interface Sample {
  /** A relation with the values as text. */
  readonly raw: string;
  readonly reader: Reader;
}

export type GuessedColumn = Pick<FileColumn, "name" | "type" | "format">;

/** Whether the type is one that DuckDB guesses also for values which it bends. */
export function isDoubtful({ type }: GuessedColumn): boolean {
  return type === "DOUBLE" || isTime(type);
}

/** For the columns that need one: HUGEINT, a DECIMAL, TIMESTAMP_NS, or VARCHAR where none of them is wide enough. */
export async function exactTypes(
  columns: readonly GuessedColumn[],
  sample: Sample,
): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for (const column of await bentColumns(columns, sample)) {
    const exact = isTime(column.type) ? exactTime(column, sample) : exactNumber(column, sample);
    types.set(column.name, await exact);
  }
  return types;
}

/** Those with a value that comes back from the guessed type as another one. */
async function bentColumns(
  columns: readonly GuessedColumn[],
  sample: Sample,
): Promise<readonly GuessedColumn[]> {
  if (columns.length === 0) return [];
  const checks = columns.map(({ name, type, format }) => {
    const text = textOf(name);
    // the sniffer lets a format pass that later values do not have
    const misread = format === undefined
      ? "false"
      : `${text} IS NOT NULL AND ${read(text, { type, format })} IS NULL`;
    return `bool_or(NOT ${isExact(text, type)} OR ${misread})`;
  });
  const row = await one(sample, `SELECT ${checks} FROM ${sample.raw}`);
  return columns.filter((_, index) => row[index] === true);
}

/** By the most digits before and behind the point, where each value is a number. */
async function exactNumber({ name }: GuessedColumn, sample: Sample): Promise<string> {
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

async function exactTime({ name, type }: GuessedColumn, sample: Sample): Promise<string> {
  if (type !== "TIMESTAMP") return "VARCHAR";
  const [areNanoseconds] = await one(
    sample,
    `SELECT bool_and(${textOf(name)} IS NULL OR ${fitsNanoseconds(textOf(name))}) FROM ${sample.raw}`,
  );
  return areNanoseconds === true ? "TIMESTAMP_NS" : "VARCHAR";
}

function textOf(name: string): string {
  return `CAST(${quoteName(name)} AS VARCHAR)`;
}

async function one({ reader }: Sample, sql: string): Promise<Row> {
  const [row = []] = await readRows(await reader.connection.run(sql), reader.api);
  return row;
}
