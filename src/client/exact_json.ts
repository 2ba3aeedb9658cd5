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
  const root: { readonly value: unknown } = { value: JSON.parse(markNumbers(text, mark)) };
  const open: object[] = [root];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    // The members are set in place: a reviver would need a stack as deep as the text is nested.
    for (const [name, member] of Object.entries(parent)) {
      if (typeof member === "object" && member !== null) open.push(member);
      else if (typeof member === "string" && member.startsWith(mark)) {
        Reflect.set(parent, name, numberOf(member.slice(mark.length)));
      }
    }
  }
  return root.value;
}

function numberOf(digits: string): bigint | ExactNumber {
  return INTEGER.test(digits) ? BigInt(digits) : new ExactNumber(digits);
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
