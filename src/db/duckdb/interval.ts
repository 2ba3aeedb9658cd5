/**
 * DuckDB's intervals as the text that it prints.
 */
import { clockText, fractionText } from "./temporal.ts";

/** `1 year 2 months 3 days 04:05:06.5`. */
export function intervalText(
  { months, days, micros }: { readonly months: number; readonly days: number; readonly micros: bigint },
): string {
  const years = Math.trunc(months / 12);
  const parts = [unitText(years, "year"), unitText(months - years * 12, "month"), unitText(days, "day")];
  if (micros !== 0n) {
    const size = micros < 0n ? -micros : micros;
    const seconds = size / 1_000_000n;
    const clock = clockText(Number(seconds)) + fractionText(Number(size % 1_000_000n), 6);
    parts.push(micros < 0n ? `-${clock}` : clock);
  }
  return parts.filter((part) => part !== "").join(" ") || "00:00:00";
}

function unitText(count: number, unit: string): string {
  return count === 0 ? "" : `${count} ${unit}${count === 1 || count === -1 ? "" : "s"}`;
}
