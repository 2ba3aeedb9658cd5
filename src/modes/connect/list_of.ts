/**
 * Lists as people write them in a flag: names with commas between.
 */

/** In their order, without blanks and repetitions. */
export function listOf(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()).filter((name) => name !== ""))];
}
