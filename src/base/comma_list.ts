/**
 * Lists that a person writes in one text.
 */

/** What stands between the commas, without the space around it; empty places are left out. */
export function commaList(text = ""): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}
