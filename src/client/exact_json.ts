/**
 * JSON whose numbers keep all their digits: integers beyond 2^53 become bigint, and other numbers that a double would
 * write in another way become ExactNumber.
 */

/** A number as it was written. */
export class ExactNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/** Throws SyntaxError for what is not JSON. */
export function parseExact(text: string): unknown {
  // No text within the JSON begins with this mark, for it is longer than any run of its character there.
  const mark = "\u0001".repeat(longestRun(text) + 1);
  return JSON.parse(markNumbers(text, mark), (_key, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    return INTEGER.test(digits) ? BigInt(digits) : new ExactNumber(digits);
  });
}

/** Puts inexact numbers into marked strings. */
function markNumbers(text: string, mark: string): string {
  const quoted = JSON.stringify(mark).slice(0, -1);
  let marked = "";
  let at = 0;
  while (at < text.length) {
    const begin = text.indexOf('"', at);
    const outside = text.slice(at, begin < 0 ? text.length : begin);
    marked += outside.replace(NUMBER, (digits) => isExact(digits) ? digits : `${quoted}${digits}"`);
    if (begin < 0) break;
    at = endOfString(text, begin) + 1;
    marked += text.slice(begin, at);
  }
  return marked;
}

function endOfString(text: string, begin: number): number {
  let end = begin;
  while ((end = text.indexOf('"', end + 1)) >= 0) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function isExact(digits: string): boolean {
  return digits === "-0" || String(Number(digits)) === digits && !isUnsafe(digits);
}

function isUnsafe(digits: string): boolean {
  return INTEGER.test(digits) && !Number.isSafeInteger(Number(digits));
}

function longestRun(text: string): number {
  const runs = text.match(/(?:\\u0001)+/g) ?? [];
  return Math.max(0, ...runs.map((run) => run.length / 6));
}
