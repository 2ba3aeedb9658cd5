/**
 * 32-bit floats as they are meant: 0.1, not 0.10000000149011612.
 */

/** From here on up, every 32-bit float tells six digits apart. */
const SMALLEST_NORMAL = 2 ** -126;

/** Of the doubles that round to a 32-bit float, the one that prints shortest; nine digits always suffice. */
export function shortestFloat(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  for (let digits = Math.abs(value) < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}
