/**
 * Values in SQLite's statements. The declared type only leans a value towards a class; what is written decides.
 */
import { quoteText } from "../../sql_text.ts";
import type { ColumnKind, ValueSql } from "../../workbench.ts";

function kind(type: string): ColumnKind {
  // https://sqlite.org/datatype3.html, 3.1
  if (/int|real|floa|doub|dec|num/i.test(type)) return "number";
  if (type === "" || /blob/i.test(type)) return "binary";
  if (/bool/i.test(type)) return "boolean";
  return /json/i.test(type) ? "json" : "text";
}

/** SQLite ends a quoted text at a NUL. */
function text(value: string): string {
  if (!value.includes("\0")) return quoteText(value);
  return `CAST(X'${new TextEncoder().encode(value).toHex()}' AS TEXT)`;
}

const SPECIAL: ReadonlyMap<string, string> = new Map([["Infinity", "9e999"], ["-Infinity", "-9e999"]]);
const BOOLEANS: ReadonlyMap<string, string> = new Map([["true", "1"], ["false", "0"]]);

function literal(value: string, type: string): string {
  const isNumeral = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value);
  if (kind(type) === "number") return SPECIAL.get(value) ?? (isNumeral ? value : text(value));
  return kind(type) === "boolean" ? BOOLEANS.get(value) ?? text(value) : text(value);
}

/**
 * A column of no type keeps numbers and texts that look alike; a number is shown as text where a double would bend it. A
 * word in one of booleans is the text that it is.
 */
function textIn(value: string, column: { readonly name: string; readonly type: string }): string {
  const of = kind(column.type);
  if (of === "boolean") return text(value);
  const plain = literal(value, column.type);
  const number = of === "binary" ? literal(value, "NUMERIC") : plain;
  if (number === plain) return plain;
  return `CASE WHEN typeof(${column.name}) IN ('integer', 'real') THEN ${number} ELSE ${plain} END`;
}

export const VALUES: ValueSql = {
  kind,
  literal,
  textIn,
  number: (numeral) => numeral,
  bytes: (value) => `X'${value.toHex()}'`,
  geometry: (wkt) => text(wkt),
  equals: (column, { value }) => `${column} IS ${value}`,
  startsWith: (column, { prefix, length }) =>
    `typeof(${column}) = 'blob' AND length(${column}) = ${length} AND substr(${column}, 1, ${prefix.length}) = X'${prefix.toHex()}'`,
  defaults: "DEFAULT VALUES",
};
