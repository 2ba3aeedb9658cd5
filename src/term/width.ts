/**
 * How many columns of a terminal a text takes, and texts made to take a given number. The widths of emoji and of East
 * Asian characters are string-width's.
 */
import stringWidth from "string-width";

const ASCII = /^[ -~]*$/;
const MARK = "…";

/** Of text on one line, without escapes. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** The text, or as much of its beginning as leaves room for a mark. */
export function cut(text: string, width: number): string {
  if (text.length <= width && ASCII.test(text) || widthOf(text) <= width) return text;
  const room = width - 1;
  let kept = "";
  let taken = 0;
  // a character of two UTF-16 units or more may be one column: more units than this are never looked at
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, 16 * width))) {
    const wide = widthOf(segment);
    if (taken + wide > room) break;
    kept += segment;
    taken += wide;
  }
  return kept + MARK;
}

export function pad(text: string, { width, right }: { width: number; right: boolean }): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
}
