/**
 * DuckDB's numbers as Cells, every digit kept.
 */

/** From here on up, every 32-bit float tells six digits apart. */
const SMALLEST_NORMAL_FLOAT = 2 ** -126;

/** A number where it is exact. */
export function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Of the doubles that round to a 32-bit float, the one that prints shortest; nine digits always suffice. */
export function shortestFloat(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  for (let digits = Math.abs(value) < SMALLEST_NORMAL_FLOAT ? 1 : 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

/** An unscaled number with its decimal point put in. */
export function decimalText(unscaled: bigint, scale: number): string {
  const text = String(integer(unscaled));
  if (scale === 0) return text;
  const sign = unscaled < 0n ? "-" : "";
  const digits = text.slice(sign.length).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
