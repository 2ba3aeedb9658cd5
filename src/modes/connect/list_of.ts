/**
 * Lists as people write them in a flag: names with commas between.
 */
import { commaList } from "../../base/comma_list.ts";

/** In their order, without blanks and repetitions. */
export function listOf(text: string): string[] {
  return [...new Set(commaList(text))];
}
