/**
 * Values in PostgreSQL's statements: every value is a text that the server itself reads as the column's type.
 */
import { quoteText } from "../../sql_text.ts";
import type { ColumnKind, ValueSql } from "../../workbench.ts";

/** Types without equality; their texts are compared. */
const NO_EQUALITY =
  /^(?:xml|point|box|path|polygon|circle|line|lseg|txid_snapshot|pg_snapshot|jsonpath|refcursor|aclitem)\b/;

function kind(type: string): ColumnKind {
  if (type.endsWith("[]")) return "list";
  const [word = ""] = type.split("(");
  switch (word) {
    case "bytea":
      return "binary";
    case "json":
    case "jsonb":
      return "json";
    case "boolean":
      return "boolean";
    case "geometry":
    case "geography":
      return "spatial";
  }
  if (/^(?:smallint|integer|bigint|numeric|real|double precision|oid)$/.test(word)) return "number";
  return BUILT_IN.test(word) ? "text" : "struct";
}

/** Types of one value; what users and extensions add may be composite. */
const BUILT_IN =
  /^(?:text|name|character|character varying|bit|bit varying|date|time\b.*|timestamp\b.*|interval\b.*|uuid|inet|cidr|macaddr8?|money|xml|"char"|ts\w+|pg_\w+|\w+range)$/;

export const VALUES: ValueSql = {
  kind,
  literal: (text, type) => `${quoteText(text)}::${type}`,
  bytes: (value) => `'\\x${value.toHex()}'::bytea`,
  nested: (json, type) => {
    if (json.trimStart().startsWith("{")) return recordOf(json, type);
    const value: unknown = JSON.parse(json);
    const [element] = type.split("[");
    return element === "json" || element === "jsonb"
      ? `${quoteText(arrayText(documentsIn(value), ","))}::${type}`
      : holdsRecords(value)
      ? `${arrayOf(value, element ?? "")}::${type}`
      : `${quoteText(arrayText(value, element === "box" ? ";" : ","))}::${type}`;
  },
  nestedBytes: (value, type) => {
    const [element = ""] = type.split("[");
    return element === "bytea" || (kind(element) === "struct" && !isHstore(element))
      ? `\\x${value.toHex()}`
      : undefined;
  },
  geometry: (wkt, { srid, column }) =>
    srid === null
      ? `ST_GeomFromText(${quoteText(wkt)}, ${sridOf(column)})`
      : `ST_GeomFromText(${quoteText(wkt)}, ${srid})`,
  equals: (column, { value, type }) =>
    type === "json[]"
      ? `to_jsonb(${column}) IS NOT DISTINCT FROM to_jsonb(${value})`
      : type === "json"
      ? `${column}::jsonb IS NOT DISTINCT FROM (${value})::jsonb`
      : NO_EQUALITY.test(type)
      ? `${column}::text IS NOT DISTINCT FROM (${value})::text`
      : `${column} IS NOT DISTINCT FROM ${value}`,
  startsWith: (column, { prefix, length }) =>
    `octet_length(${column}) = ${length} AND substring(${column} FROM 1 FOR ${prefix.length}) = '\\x${prefix.toHex()}'::bytea`,
  defaults: "DEFAULT VALUES",
  defaultWord: "DEFAULT",
};

/** The reference system that a column's values have already, or none. */
function sridOf(column: string): string {
  return column === "" ? "0" : `coalesce(ST_SRID(${column}::geometry), 0)`;
}

/** An object as a value of a composite type or of hstore. */
function recordOf(json: string, type: string): string {
  if (isHstore(type)) return `${quoteText(hstoreText(JSON.parse(json)))}::${type}`;
  return `jsonb_populate_record(NULL::${type}, ${quoteText(json)}::jsonb)`;
}

function isHstore(type: string): boolean {
  return /^(?:.*\.)?hstore$/.test(type);
}

/** PostgreSQL manual, F.17.1. */
function hstoreText(value: object): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
  return Object.entries(value)
    .map(([key, each]) => `${quoted(key)}=>${each === null ? "NULL" : quoted(String(each))}`).join(", ");
}

function holdsRecords(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsRecords) : typeof value === "object" && value !== null;
}

function arrayOf(value: unknown, element: string): string {
  if (Array.isArray(value)) return `ARRAY[${value.map((each) => arrayOf(each, element)).join(", ")}]`;
  return value === null ? "NULL" : recordOf(JSON.stringify(value), element);
}

/** A document that is given as text is its own text. */
function documentsIn(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((each) => typeof each === "string" || each === null ? each : JSON.stringify(each));
}

/** The text form of an array: PostgreSQL manual, 8.15.2. */
function arrayText(value: unknown, delimiter: string): string {
  if (Array.isArray(value)) return `{${value.map((each) => arrayText(each, delimiter)).join(delimiter)}}`;
  if (value === null) return "NULL";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
