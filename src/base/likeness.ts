/**
 * How alike two names are, for suggesting what somebody may have meant. Letters count as they are, case too.
 */

/**
 * How little two names have in common: 0 for the same, up to 1 where they are alike (at most a third of the letters
 * differ, or the longer one holds the shorter), above 1 where they are not.
 */
export function unlikeness(word: string, name: string): number {
  const [short, long] = word.length < name.length ? [word, name] : [name, word];
  if (short.length >= 4 && long.includes(short)) return 1 - short.length / long.length;
  const allowed = Math.max(1, Math.floor(long.length / 3));
  return long.length - short.length > allowed ? Infinity : editDistance(word, name) / allowed;
}

/** Levenshtein's distance, a row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
