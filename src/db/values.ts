/**
 * The closed set of values that engines return, and the one place that makes JSON of them, losing nothing.
 * How an engine's own types become Cells is the engine's file; the table this implements is docs/values.md.
 */
import { nonFinite, type Plain, plainToJson, quote } from "../base/json.ts";
import { Fault } from "../base/fault.ts";

/** A number with all its digits as the engine wrote them: NUMERIC, DECIMAL, HUGEINT and the like. */
export class Decimal {
  constructor(readonly text: string) {}
}

/** A JSON document as the engine wrote it. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Named members in order: a struct, a map with text keys, a composite. */
export class Struct {
  constructor(readonly entries: readonly (readonly [name: string, value: Cell])[]) {}
}

/**
 * One value. Integers are number up to 2^53 and bigint beyond; floats are number; dates, times, intervals, UUIDs,
 * geometry and every type without a member of its own are text; lists are arrays.
 */
export type Cell =
  | null
  | boolean
  | number
  | bigint
  | string
  | Decimal
  | JsonText
  | Uint8Array
  | Struct
  | readonly Cell[];

export type Row = readonly Cell[];

/** How numbers that a double cannot hold, and non-finite ones, are written (docs/values.md). */
export interface ValueStyle {
  /** Integers beyond 2^53 and decimals: bare digits, or a JSON string. */
  readonly bigNumbers: "digits" | "string";
  readonly nonFinite: "nan" | "NaN" | "refuse";
}

/** saber rpc and omp: every digit as a JSON number. */
export const DIGITS: ValueStyle = { bigNumbers: "digits", nonFinite: "nan" };
/** saber mcp: JavaScript clients would round such numbers, so they travel as text. */
export const TEXT_NUMBERS: ValueStyle = { bigNumbers: "string", nonFinite: "refuse" };

/** A cell as JSON text. Throws Fault `unsupported_value` for what the style refuses. */
export function cellToJson(cell: Cell, style: ValueStyle): string {
  switch (typeof cell) {
    case "string":
      return quote(cell);
    case "number":
      return numberToJson(cell, style);
    case "boolean":
      return cell ? "true" : "false";
    case "bigint":
      return integerToJson(cell, style);
    case "object":
      return cell === null ? "null" : objectToJson(cell, style);
  }
}

function numberToJson(value: number, style: ValueStyle): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  switch (style.nonFinite) {
    case "nan":
      return quote(nonFinite(value));
    case "NaN":
      return quote(String(value));
    case "refuse":
      throw new Fault(
        "unsupported_value",
        `the value ${nonFinite(value)} has no JSON form; cast it to text in SQL`,
      );
  }
}

function integerToJson(value: bigint, style: ValueStyle): string {
  const number = Number(value); // comparing a bigint with a number takes several times as long
  if (Number.isSafeInteger(number)) return String(number);
  return style.bigNumbers === "digits" ? String(value) : `"${value}"`;
}

function objectToJson(cell: Exclude<Cell & object, null>, style: ValueStyle): string {
  if (cell instanceof Decimal) return decimalToJson(cell.text, style);
  if (cell instanceof Uint8Array) return `"${cell.toBase64()}"`;
  if (cell instanceof JsonText) return documentToJson(cell.text, style);
  if (cell instanceof Struct) {
    return `{${cell.entries.map(([name, value]) => `${quote(name)}:${cellToJson(value, style)}`).join(",")}}`;
  }
  return `[${cell.map((element) => cellToJson(element, style)).join(",")}]`;
}

function decimalToJson(digits: string, style: ValueStyle): string {
  return style.bigNumbers === "digits" ? digits : quote(digits);
}

/** In valid JSON, raw control characters stand only between tokens, so they may become spaces. */
function documentToJson(text: string, style: ValueStyle): string {
  const oneLine = text.toWellFormed().replace(/[\n\r\t]/g, " ").replaceAll("\u2028", "\\u2028").replaceAll(
    "\u2029",
    "\\u2029",
  );
  return style.bigNumbers === "digits" ? oneLine : oneLine.replace(STRING_OR_NUMBER, exactNumber);
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function exactNumber(token: string): string {
  if (token.startsWith('"')) return token;
  const digits = token.replace(/[eE].*$/, "").replace(/\D/g, "").replace(/^0+/, "");
  return digits.length <= 15 || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}

/** Column names that can be keys of one object: empty ones become `column_N`, repeated ones `name_2`, `name_3` … */
export function uniqueNames(columns: readonly { readonly name: string }[]): string[] {
  const taken = new Set(columns.map((column) => column.name));
  const seen = new Set<string>();
  return columns.map(({ name }, index) => {
    const base = name === "" ? `column_${index + 1}` : name;
    let unique = base;
    for (let n = 2; seen.has(unique) || (unique !== name && taken.has(unique)); n++) unique = `${base}_${n}`;
    seen.add(unique);
    return unique;
  });
}

/** A row as a JSON object on one line, or why it can't be written. */
export type WrittenRow = string | Fault;

/**
 * A function that writes rows of these columns as JSON objects, names and order kept.
 * It throws Fault `unsupported_value`, naming the column, for a value that the style refuses.
 */
export function rowWriter(
  columns: readonly { readonly name: string }[],
  style: ValueStyle,
): (row: Row) => string {
  const names = uniqueNames(columns);
  const keys = names.map((name, index) => `${index === 0 ? "{" : ","}${quote(name)}:`);
  // Until a row holds what JSON.stringify does not write exactly: trying in vain for each would cost more than it brings.
  let isPlain = !names.some((name) => UNORDERED.test(name));
  return (row) => {
    const plain = isPlain ? plainObject(row, names) : undefined;
    if (plain !== undefined) return plainToJson(plain);
    isPlain = false;
    let text = "";
    for (let i = 0; i < keys.length; i++) {
      text += keys[i] + columnToJson(row[i] ?? null, { name: names[i], style });
    }
    return `${text}}`;
  };
}

/** Names that an object does not keep in their place, or keeps for itself. */
const UNORDERED = /^(?:\d+|__proto__)$/;

/** The row for JSON.stringify, which writes it as fast as anything can; undefined when it would not write all of it exactly. */
function plainObject(row: Row, names: readonly string[]): { readonly [name: string]: Plain } | undefined {
  const object: { [name: string]: Plain } = {};
  for (let i = 0; i < names.length; i++) {
    const cell = toPlain(row[i] ?? null);
    if (cell === undefined) return undefined;
    object[names[i] ?? ""] = cell;
  }
  return object;
}

function toPlain(cell: Cell): Plain | undefined {
  switch (typeof cell) {
    case "string":
    case "boolean":
      return cell;
    case "number":
      return Number.isFinite(cell) && !Object.is(cell, -0) ? cell : undefined;
    case "bigint": {
      const number = Number(cell); // comparing a bigint with a number takes several times as long
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case "object":
      return cell === null ? null : undefined;
  }
}

function columnToJson(cell: Cell, { name, style }: { name: string | undefined; style: ValueStyle }): string {
  try {
    return cellToJson(cell, style);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `Cannot return column ${JSON.stringify(name)}: ${error.message}.`);
  }
}
