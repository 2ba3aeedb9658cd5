/**
 * How many rows there were and how long they took, in words.
 */

/** `12 rows · 34 ms` */
export function countAndTime(rows: number, ms: number): string {
  return `${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"} · ${duration(ms)}`;
}

/** `34 ms`, `1.2 s`, `2 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
