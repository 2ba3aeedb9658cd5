/**
 * Values in MySQL's statements. Numbers stand as numerals, since MySQL compares a text with a number as doubles; texts stand
 * as bytes, which no mode of the session reads otherwise.
 */
import type { ColumnKind, ValueSql } from "../../workbench.ts";

const NUMERAL = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function kind(type: string): ColumnKind {
  // what BOOLEAN becomes
  if (/^tinyint\(1\)/i.test(type)) return "boolean";
  const [word = ""] = type.toLowerCase().split(/[ (]/);
  if (/^(?:tinyblob|blob|mediumblob|longblob|binary|varbinary)$/.test(word)) return "binary";
  if (/^(?:geometry|point|linestring|polygon|multi\w+|geometrycollection|geomcollection)$/.test(word)) {
    return "spatial";
  }
  if (/int$|^(?:integer|decimal|numeric|float|double|real|year)$/.test(word)) return "number";
  if (word === "json") return "json";
  return word === "bit" ? "other" : "text";
}

function text(value: string): string {
  return `_utf8mb4 X'${new TextEncoder().encode(value).toHex()}'`;
}

const BOOLEANS: ReadonlyMap<string, string> = new Map([["true", "1"], ["false", "0"]]);

function literal(value: string, type: string): string {
  if (/^(?:number|boolean)$/.test(kind(type))) {
    return NUMERAL.test(value) ? value : BOOLEANS.get(value) ?? text(value);
  }
  // a moment is shown with the session's zone, which is UTC and which MariaDB cannot read
  if (/^timestamp\b/i.test(type)) return text(value.replace(/\+00(?::00)?$/, ""));
  if (kind(type) === "other") {
    return /^[01]+$/.test(value) ? `b'${value}'` : BOOLEANS.get(value) ?? text(value);
  }
  return text(value);
}

export const VALUES: ValueSql = {
  kind,
  literal,
  bytes: (value) => `X'${value.toHex()}'`,
  geometry: (wkt, { srid, column }) =>
    `ST_GeomFromText(${text(wkt)}, ${srid ?? (column === "" ? 0 : `COALESCE(ST_SRID(${column}), 0)`)})`,
  // a FLOAT is printed with fewer digits than the double that it would be compared as
  equals: (column, { value, type }) =>
    kind(type) === "json"
      ? `(JSON_CONTAINS(${column}, ${value}) AND JSON_CONTAINS(${value}, ${column}))`
      : /^float\b/i.test(type) && value !== "NULL"
      ? `${column} <=> CAST(${value} AS FLOAT)`
      : `${column} <=> ${value}`,
  startsWith: (column, { prefix, length }) =>
    `LENGTH(${column}) = ${length} AND SUBSTRING(${column}, 1, ${prefix.length}) = X'${prefix.toHex()}'`,
  bitIsNumber: true,
  defaults: "() VALUES ()",
  defaultWord: "DEFAULT",
};
