/**
 * Dates and times in text files that their types would bend: DuckDB cuts off what is smaller than a microsecond, moves a
 * timestamp with an offset to UTC in a column without, and one without into a column with, and reads an infinite one by a
 * format as the year 1900.
 */

/** A clock's minutes and seconds with an offset or the name of a zone behind them. */
const ZONE = "':[0-9]{2}[0-9.]*\\s*(?:[-+]|[A-Za-z])'";

export function isTime(type: string): boolean {
  return /^(?:DATE|TIME(?:STAMP)?(?:_NS| WITH TIME ZONE)?)$/.test(type);
}

/** A condition: a value of the type, one of `isTime`, says what the text `x` says, if it can be read at all. */
export function isExactTime(x: string, type: string): string {
  const digits = type.endsWith("_NS") ? 9 : 6;
  const isFine = `regexp_matches(${x}, '[.][0-9]{${digits}}[0-9]*[1-9]')`;
  const hasZone = `regexp_matches(${x}, ${ZONE})`;
  const fits = type.endsWith("ZONE") ? hasZone : `NOT ${hasZone}`;
  return `(${fits} AND NOT ${isFine} AND NOT contains(lower(${x}), 'infinity'))`;
}

/** A condition: nanoseconds hold the text `x`. They end in the year 2262. */
export function fitsNanoseconds(x: string): string {
  return `TRY_CAST(${x} AS TIMESTAMP_NS) IS NOT NULL AND ${isExactTime(x, "TIMESTAMP_NS")}`;
}
