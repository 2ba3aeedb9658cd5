/**
 * How wide the columns of a table may be, so that it fits the window.
 */

/** Below this a column that is wider by nature says too little. */
const LEAST = 5;

/**
 * The widths, with at most `room` as their sum. Names give way to what stands below them; then the widest give way first.
 * Undefined when a column would become too narrow to say anything. `names` and `cells`: how wide each column's are.
 */
export function fit(
  { names, cells }: { readonly names: readonly number[]; readonly cells: readonly number[] },
  room: number,
): number[] | undefined {
  const wanted = names.map((name, index) => Math.max(name, cells[index] ?? 0));
  const needed = names.map((name, index) => Math.max(Math.min(name, LEAST), cells[index] ?? 0));
  if (sum(wanted) <= room) return wanted;
  return sum(needed) <= room ? spread(needed, { wanted, left: room - sum(needed) }) : level(wanted, room);
}

/** Columns that lack the least grow first, as long as something is left. */
function spread(
  widths: readonly number[],
  { wanted, left }: { readonly wanted: readonly number[]; readonly left: number },
): number[] {
  const grown = [...widths];
  const byNeed = grown.keys().toArray().toSorted((a, b) => need(a) - need(b));
  function need(index: number): number {
    return (wanted[index] ?? 0) - (widths[index] ?? 0);
  }
  for (const index of byNeed) {
    const more = Math.min(left, need(index));
    grown[index] = (grown[index] ?? 0) + more;
    left -= more;
  }
  return grown;
}

/** As wide as wanted, up to a level; what is left over goes to the first columns that were cut. */
function level(wanted: readonly number[], room: number): number[] | undefined {
  const sumAt = (most: number) => sum(wanted.map((width) => Math.min(width, most)));
  let most = Math.max(...wanted, 0);
  while (most > LEAST && sumAt(most) > room) most--;
  if (sumAt(most) > room) return undefined;
  let left = room - sumAt(most);
  return wanted.map((width) => {
    if (width <= most || left === 0) return Math.min(width, most);
    left--;
    return most + 1;
  });
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
