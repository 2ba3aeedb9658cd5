/**
 * The exact JSON writer: bigint as digits, prepared pieces spliced in, never a NaN token, always well-formed Unicode.
 * Reading JSON is JSON.parse's work; this file writes, and says what JSON.parse can read.
 */

/** A piece of JSON text that is already valid and is written as it stands. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Numbers are finite, and not the negative zero. */
export type Plain = string | number | boolean | null;

/** Non-finite numbers have no JSON token; these names stand for them (docs/values.md). */
export function nonFinite(value: number): "nan" | "inf" | "-inf" {
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/** Text that JSON takes as it is; most is, and one test costs a third of what the rest does. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Text as a JSON string. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : plainToJson(text);
}

/** Text as it stands within a JSON string, whose quotes may stand around several such pieces. */
export function quoteInside(text: string): string {
  return quote(text).slice(1, -1);
}

/** JSON text as it stands within a JSON string. What this file writes has nothing left in it that needs more care. */
export function quoteJsonInside(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** An escape of JSON.stringify's; one of a surrogate stands only for a lone one. */
const ESCAPE = /\\(?:ud[89a-f][\da-f]{2}|.)/g;

/**
 * What JSON.stringify itself writes exactly, in one go, which is faster than piece by piece. Lone surrogates become U+FFFD;
 * U+2028 and U+2029 are escaped so that readers which split on them survive.
 */
export function plainToJson(value: Plain | readonly Plain[] | { readonly [key: string]: Plain }): string {
  const text = JSON.stringify(value);
  const whole = text.includes("\\ud")
    ? text.replace(ESCAPE, (escape) => escape.startsWith("\\ud") ? "\ufffd" : escape)
    : text;
  return whole.includes("\u2028") || whole.includes("\u2029")
    ? whole.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : whole;
}

/** Whether a text is one JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value as JSON text on one line. Members that are undefined are left out. */
export function toJson(value: Json): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : quote(nonFinite(value));
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : objectToJson(value);
  }
}

function objectToJson(
  value: RawJson | readonly Json[] | { readonly [key: string]: Json | undefined },
): string {
  if (value instanceof RawJson) return value.text;
  if (isArray(value)) return `[${value.map(toJson).join(",")}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${quote(key)}:${toJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

function isArray(
  value: readonly Json[] | { readonly [key: string]: Json | undefined },
): value is readonly Json[] {
  return Array.isArray(value);
}
