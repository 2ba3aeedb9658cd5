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

export const VALUES: ValueSql = {
  kind,
  literal: (value, type) => `CAST(${text(value)} AS ${type})`,
  bytes: (value) => `from_hex('${value.toHex()}')`,
  nested: (json, type) => `CAST(CAST(${text(json)} AS JSON) AS ${type})`,
  geometry: (wkt) => `ST_GeomFromText(${text(wkt)})`,
  // json() writes both in one form
  equals: (column, { value, type }) =>
    kind(type) === "json"
      ? `json(${column}) IS NOT DISTINCT FROM json(${value})`
      : `${column} IS NOT DISTINCT FROM ${value}`,
  startsWith: (column, { prefix, length }) =>
    `octet_length(${column}) = ${length} AND starts_with(hex(${column}), '${prefix.toHex().toUpperCase()}')`,
  defaults: "DEFAULT VALUES",
  defaultWord: "DEFAULT",
};
