/**
 * How wide the columns of a table may be, so that it fits the window.
 */

/** Below this a column that is wider by nature says too little. */
const LEAST = 5;

/**
 * The widths, `wanted` in order, with at most `room` as their sum: the widest give way first. Undefined when a column would
 * become too narrow to say anything.
 */
export function fit(wanted: readonly number[], room: number): number[] | undefined {
  const sum = (most: number) => wanted.reduce((total, width) => total + Math.min(width, most), 0);
  let most = Math.max(...wanted, 0);
  if (sum(most) <= room) return [...wanted];
  while (most > LEAST && sum(most) > room) most--;
  if (sum(most) > room) return undefined;
  // what is left over goes to the first columns that were cut
  let left = room - sum(most);
  return wanted.map((width) => {
    if (width <= most || left === 0) return Math.min(width, most);
    left--;
    return most + 1;
  });
}
