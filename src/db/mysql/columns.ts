/**
 * The types of the protocol: what a column is called, and how its values are read. The reading itself is cells.ts's.
 */
import type { FieldPacket } from "mysql2";
import type { Column } from "../driver.ts";
import {
  bitsReader,
  momentReader,
  plain,
  type Reader,
  toDay,
  toDecimal,
  toDocument,
  toFloats,
  toGeometry,
  toInteger,
  toShortFloat,
  toUnpaddedDecimal,
} from "./cells.ts";

/** Bits of a column's flags (MySQL: mysql_com.h). */
const FLAG = { unsigned: 32, zerofill: 64, enum: 256, set: 2048 };

/** The character set of a column that holds bytes. */
const BINARY = 63;

/** The library hands out its bytes as they are. */
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
  7: { name: "timestamp", read: plain },
  8: { name: "bigint", read: toInteger },
  9: { name: "mediumint", read: plain },
  10: { name: "date", read: toDay },
  11: { name: "time", read: plain },
  12: { name: "datetime", read: plain },
  13: { name: "year", read: plain },
  14: { name: "date", read: toDay },
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
 * How values of a column are read. What the library would do wrong or slowly with the column is changed in its own
 * description, before it makes its own reader of that; to be asked after `columnOf`.
 */
export function takeOver(field: FieldPacket, index: number): Reader {
  const { name, read } = TYPES[field.columnType ?? 0] ?? UNKNOWN;
  // it would make objects of coordinates and drop the reference system, and takes long over dates
  if (/^(?:geometry|date|datetime|timestamp)$/.test(name)) field.columnType = BLOB;
  // it fails on names such as __proto__, and needs none
  field.name = String(index);
  if (field.extendedFormat === "json") return toDocument;
  switch (name) {
    case "bit":
      return bitsReader(field.columnLength ?? 1);
    case "datetime":
      return momentReader(field.decimals, "");
    case "timestamp":
      // a moment, and the session's time zone is UTC
      return momentReader(field.decimals, "+00:00");
    case "decimal":
      return (flagsOf(field) & FLAG.zerofill) === 0 ? read : toUnpaddedDecimal;
    default:
      return read;
  }
}

function flagsOf({ flags }: FieldPacket): number {
  return typeof flags === "number" ? flags : 0;
}

function typeName(field: FieldPacket): string {
  const { name, binary } = TYPES[field.columnType ?? 0] ?? UNKNOWN;
  const flags = flagsOf(field);
  if (field.extendedFormat === "json") return "json";
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  if ((flags & FLAG.enum) !== 0) return "enum";
  if ((flags & FLAG.set) !== 0) return "set";
  if (binary !== undefined) return field.characterSet === BINARY ? binary : name;
  const isUnsigned = (flags & FLAG.unsigned) !== 0 && /int$|decimal|float|double/.test(name);
  return isUnsigned ? `${name} unsigned` : name;
}
