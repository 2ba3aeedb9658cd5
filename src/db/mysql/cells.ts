/**
 * What a column's values become: the types of the protocol as cells, losing nothing. It reads the values that the
 * library hands out when it is told to leave dates, decimals and documents as text.
 */
import type { FieldPacket } from "mysql2";
import type { Column } from "../driver.ts";
import { type Cell, Decimal, JsonText } from "../values.ts";
import { toWkt } from "./geometry.ts";

/** Makes a cell of a value of one column, which is not NULL. */
export type Reader = (value: unknown) => Cell;

/** Bits of a column's flags (MySQL: mysql_com.h). */
const FLAG = { unsigned: 32, enum: 256, set: 2048 };

/** The character set of a column that holds bytes. */
const BINARY = 63;

const GEOMETRY = 255;
const BLOB = 252;

interface Type {
  readonly name: string;
  /** The name when the column holds bytes instead of text. */
  readonly binary?: string;
  readonly read: Reader;
}

/** By the protocol's numbers (MySQL: field_types.h). */
const TYPES: Readonly<Record<number, Type>> = {
  0: { name: "decimal", read: toDecimal },
  1: { name: "tinyint", read: plain },
  2: { name: "smallint", read: plain },
  3: { name: "int", read: plain },
  4: { name: "float", read: toShortFloat },
  5: { name: "double", read: plain },
  6: { name: "", read: plain },
  7: { name: "timestamp", read: toInstant },
  8: { name: "bigint", read: toInteger },
  9: { name: "mediumint", read: plain },
  10: { name: "date", read: plain },
  11: { name: "time", read: plain },
  12: { name: "datetime", read: toTimestamp },
  13: { name: "year", read: plain },
  14: { name: "date", read: plain },
  15: { name: "varchar", binary: "varbinary", read: plain },
  16: { name: "bit", read: plain },
  242: { name: "vector", read: toFloats },
  245: { name: "json", read: toDocument },
  246: { name: "decimal", read: toDecimal },
  247: { name: "enum", read: plain },
  248: { name: "set", read: plain },
  249: { name: "text", binary: "blob", read: plain },
  250: { name: "text", binary: "blob", read: plain },
  251: { name: "text", binary: "blob", read: plain },
  252: { name: "text", binary: "blob", read: plain },
  253: { name: "varchar", binary: "varbinary", read: plain },
  254: { name: "char", binary: "binary", read: plain },
  255: { name: "geometry", read: toGeometry },
};

const UNKNOWN: Type = { name: "", read: plain };

/** A column as the program knows it. */
export function columnOf(field: FieldPacket): Column {
  return { name: field.name, type: typeName(field) };
}

/** How values of a column are read. To be asked before the library reads the first row, and once. */
export function readerOf(field: FieldPacket): Reader {
  const number = field.columnType ?? 0;
  const type = TYPES[number] ?? UNKNOWN;
  if (number === GEOMETRY) {
    // the library would make objects of the coordinates and drop the reference system; this way it hands out the bytes
    field.columnType = BLOB;
  }
  if (field.extendedFormat === "json") return toDocument;
  if (type.name === "bit") return bitsReader(field.columnLength ?? 1);
  return type.read;
}

/** About how many bytes of memory a cell takes beyond its place in the row. */
export function cellSize(cell: Cell): number {
  if (typeof cell === "string" || cell instanceof Uint8Array) return cell.length;
  return cell instanceof JsonText ? cell.text.length : 0;
}

function typeName(field: FieldPacket): string {
  const { name, binary } = TYPES[field.columnType ?? 0] ?? UNKNOWN;
  const flags = typeof field.flags === "number" ? field.flags : 0;
  if (field.extendedFormat === "json") return "json";
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  if ((flags & FLAG.enum) !== 0) return "enum";
  if ((flags & FLAG.set) !== 0) return "set";
  if (binary !== undefined) return field.characterSet === BINARY ? binary : name;
  const isUnsigned = (flags & FLAG.unsigned) !== 0 && /int$|decimal|float|double/.test(name);
  return isUnsigned ? `${name} unsigned` : name;
}

function plain(value: unknown): Cell {
  if (typeof value === "string" || typeof value === "number") return value;
  // a copy: the library's own bytes keep the whole packet in memory
  return value instanceof Uint8Array ? new Uint8Array(value) : String(value);
}

/** The library gives integers beyond 2^53 as text. */
function toInteger(value: unknown): Cell {
  return typeof value === "string" ? BigInt(value) : plain(value);
}

/** ZEROFILL pads with zeros that no JSON number may have. */
function toDecimal(value: unknown): Cell {
  return new Decimal(String(value).replace(/^(-?)0+(?=\d)/, "$1"));
}

/** The shortest number that is the same FLOAT: 0.1, not 0.10000000149011612. */
function toShortFloat(value: unknown): Cell {
  if (typeof value !== "number") return plain(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function toFloats(value: unknown): Cell {
  return Array.isArray(value) ? value.map(toShortFloat) : plain(value);
}

/** Days and months of zero are no ISO date; such values stay as the server writes them. */
const ZERO_DATE = /^\d{4}-(?:00|\d\d-00)/;

function toTimestamp(value: unknown): Cell {
  const text = String(value);
  return ZERO_DATE.test(text) ? text : text.replace(" ", "T");
}

/** TIMESTAMP is a moment; the session's time zone is UTC. */
function toInstant(value: unknown): Cell {
  const text = String(value);
  return ZERO_DATE.test(text) ? text : `${text.replace(" ", "T")}+00:00`;
}

/** MariaDB keeps documents as text, and can be told not to check it. */
function toDocument(value: unknown): Cell {
  const text = String(value);
  try {
    JSON.parse(text);
    return new JsonText(text);
  } catch {
    return text;
  }
}

function bitsReader(length: number): Reader {
  return (value) => {
    if (!(value instanceof Uint8Array)) return plain(value);
    const bits = Array.from(value, (byte) => byte.toString(2).padStart(8, "0")).join("");
    return bits.slice(-length);
  };
}

function toGeometry(value: unknown): Cell {
  return value instanceof Uint8Array ? toWkt(value) : plain(value);
}
