/**
 * Values in DuckDB's statements: texts that DuckDB itself reads as the column's type.
 */
import { quoteText } from "../../sql_text.ts";
import type { ColumnKind, ValueSql } from "../../workbench.ts";

function kind(type: string): ColumnKind {
  if (type.endsWith("]")) return "list";
  const word = type.toUpperCase().replace(/\(.*$/s, "");
  switch (word) {
    case "BLOB":
      return "binary";
    case "JSON":
      return "json";
    case "BOOLEAN":
      return "boolean";
    case "STRUCT":
    case "MAP":
    case "UNION":
      return "struct";
    case "GEOMETRY":
      return "spatial";
  }
  return /INT|DECIMAL|FLOAT|DOUBLE|BIGNUM/.test(word) && word !== "INTERVAL" ? "number" : "text";
}

/** A text ends at a NUL, so what is behind one is joined to it. */
function text(value: string): string {
  return value.includes("\0")
    ? `(${value.split("\0").map(quoteText).join(" || chr(0) || ")})`
    : quoteText(value);
}

/** JSON has no bytes: they are read as text with escapes, of which a cast makes bytes. */
function fromJson(json: string, type: string): string {
  const readable = withoutBlobs(type);
  const read = `CAST(CAST(${text(json)} AS JSON) AS ${readable})`;
  return readable === type ? read : `CAST(${read} AS ${type})`;
}

function withoutBlobs(type: string): string {
  return type.replace(
    /"(?:[^"]|"")*"|'(?:[^']|'')*'|\bBLOB\b/g,
    (part) => part === "BLOB" ? "VARCHAR" : part,
  );
}

const toHex = (byte: number) => byte.toString(16).padStart(2, "0");

/** A document that is given as text is its own text. */
function documents(json: string): string {
  const values: unknown = JSON.parse(json);
  if (!Array.isArray(values)) return json;
  return `[${values.map((each) => typeof each === "string" ? each : JSON.stringify(each)).join(",")}]`;
}

/** The type of a map's entries; undefined for every other type. */
function entryType(type: string): string | undefined {
  const inner = /^MAP\((.*)\)$/s.exec(type)?.[1];
  if (inner === undefined) return undefined;
  let depth = 0;
  const comma = [...inner].findIndex((character) => {
    if (character === "(") depth++;
    if (character === ")") depth--;
    return character === "," && depth === 0;
  });
  return `STRUCT(k ${inner.slice(0, comma)}, v ${inner.slice(comma + 1)})`;
}

/** Pairs as objects. */
function entriesIn(json: string): string {
  const pairs: unknown = JSON.parse(json);
  const entries = Array.isArray(pairs) ? pairs : [];
  return JSON.stringify(entries.map((pair) => Array.isArray(pair) ? { k: pair[0], v: pair[1] } : pair));
}

export const VALUES: ValueSql = {
  kind,
  literal: (value, type) => `CAST(${text(value)} AS ${type})`,
  bytes: (value) => `from_hex('${value.toHex()}')`,
  nested: (json, type) => {
    const entries = json.trimStart().startsWith("[") ? entryType(type) : undefined;
    return entries === undefined
      ? fromJson(type === "JSON[]" ? documents(json) : json, type)
      : `map_from_entries(${fromJson(entriesIn(json), `${entries}[]`)})`;
  },
  nestedBytes: (value, type) =>
    withoutBlobs(type) !== type ? Array.from(value, (byte) => `\\x${toHex(byte)}`).join("") : undefined,
  geometry: (wkt) => `ST_GeomFromText(${text(wkt)})`,
  // json() writes both in one form
  equals: (column, { value, type }) =>
    type === "JSON[]"
      ? `json(to_json(${column})) IS NOT DISTINCT FROM json(to_json(${value}))`
      : kind(type) === "json"
      ? `json(${column}) IS NOT DISTINCT FROM json(${value})`
      : `${column} IS NOT DISTINCT FROM ${value}`,
  startsWith: (column, { prefix, length }) =>
    `octet_length(${column}) = ${length} AND starts_with(hex(${column}), '${prefix.toHex().toUpperCase()}')`,
  defaults: "DEFAULT VALUES",
  defaultWord: "DEFAULT",
};
