/**
 * DuckDB's numbers as Cells, every digit kept.
 */

/** A number where it is exact. */
export function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** An unscaled number with its decimal point put in. */
export function decimalText(unscaled: bigint, scale: number): string {
  const text = String(integer(unscaled));
  if (scale === 0) return text;
  const sign = unscaled < 0n ? "-" : "";
  const digits = text.slice(sign.length).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
