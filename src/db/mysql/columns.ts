/**
 * The types of the protocol: what a column is called, and how its values are read. The reading itself is cells.ts's.
 */
import type { FieldPacket } from "mysql2";
import type { Column } from "../driver.ts";
import {
  bitsReader,
  plain,
  type Reader,
  toDecimal,
  toDocument,
  toFloats,
  toGeometry,
  toInstant,
  toInteger,
  toShortFloat,
  toTimestamp,
} from "./cells.ts";

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

/**
 * How values of a column are read. What the library would do wrong with the column is changed in its own description,
 * before it makes its own reader of that; to be asked after `columnOf`.
 */
export function takeOver(field: FieldPacket, index: number): Reader {
  const number = field.columnType ?? 0;
  const type = TYPES[number] ?? UNKNOWN;
  // it would make objects of the coordinates and drop the reference system; this way it hands out the bytes
  if (number === GEOMETRY) field.columnType = BLOB;
  // it fails on names such as __proto__, and needs none
  field.name = String(index);
  if (field.extendedFormat === "json") return toDocument;
  if (type.name === "bit") return bitsReader(field.columnLength ?? 1);
  return type.read;
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
