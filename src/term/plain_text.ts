/**
 * Text from databases and models made harmless for a terminal: nothing in it moves the cursor, changes colours or turns
 * the direction of writing. Line ends are for the caller to split at.
 */

/** Marks that reorder what stands around them. */
const DIRECTIONS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
/** Line and paragraph separators are line ends to some terminals. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
/** What paint.ts puts around a text. */
const COLOURS = new RegExp(`(${String.fromCharCode(0x1b)}\\[[0-9;]*m)`);

/** One line: each control character becomes its picture (`␊`, `␛`), or `�` where it has none. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(CONTROLS, picture).replace(DIRECTIONS, "�");
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : "�";
}

/** Several lines: line ends and tabs stay. */
export function lines(text: string): string {
  return text.replaceAll("\r\n", "\n").split("\n").map((line) => line.split("\t").map(oneLine).join("\t"))
    .join(
      "\n",
    );
}

/** Several lines with colours, the only escapes that stay. */
export function painted(text: string): string {
  return text.split(COLOURS).map((part, index) => index % 2 === 1 ? part : lines(part)).join("");
}
