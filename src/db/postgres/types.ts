/**
 * How the server's texts become Cells, type by type (docs/values.md). Types that every server has are known here; those
 * made by users and extensions are described by type_catalog.ts.
 */
import { type Cell, Decimal, JsonText, Struct } from "../values.ts";
import { decodeWkb } from "../wkb.ts";
import * as format from "./text_formats.ts";

export type Decode = (text: string) => Cell;

/** A type as far as its values are concerned. */
export interface CellType {
  /** As a person writes it. */
  readonly name: string;
  /** Left out where the text is the value. */
  readonly decode?: Decode;
}

const decodeNumber: Decode = (text) => Number(text);

const decodeBigint: Decode = (text) => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
};

/** NaN and the infinities (PostgreSQL 14) have no digits. */
const decodeNumeric: Decode = (text) => /^[N+-]?[aI]/.test(text) ? Number(text) : new Decimal(text);

const decodeBytes: Decode = (text) => format.parseBytes(text) ?? text;

/** By object identifier, which are the same on every server (pg_type.dat). */
const BUILT_IN = {
  16: { name: "boolean", decode: (text) => text === "t" },
  17: { name: "bytea", decode: decodeBytes },
  18: { name: '"char"' },
  19: { name: "name" },
  20: { name: "bigint", decode: decodeBigint },
  21: { name: "smallint", decode: decodeNumber },
  23: { name: "integer", decode: decodeNumber },
  25: { name: "text" },
  26: { name: "oid", decode: decodeNumber },
  114: { name: "json", decode: (text) => new JsonText(text) },
  142: { name: "xml" },
  700: { name: "real", decode: decodeNumber },
  701: { name: "double precision", decode: decodeNumber },
  705: { name: "unknown" },
  790: { name: "money" },
  869: { name: "inet" },
  1042: { name: "char" },
  1043: { name: "varchar" },
  1082: { name: "date" },
  1083: { name: "time" },
  1114: { name: "timestamp", decode: format.timestampText },
  1184: { name: "timestamptz", decode: format.zonedTimestampText },
  1186: { name: "interval" },
  1266: { name: "timetz", decode: format.zonedTimeText },
  1700: { name: "numeric", decode: decodeNumeric },
  2249: { name: "record" },
  2278: { name: "void" },
  2950: { name: "uuid" },
  3802: { name: "jsonb", decode: (text) => new JsonText(text) },
} as const satisfies Readonly<Record<number, CellType>>;

/** Arrays of them: the array's identifier, then its element's. */
const BUILT_IN_ARRAYS: Readonly<Record<number, keyof typeof BUILT_IN>> = {
  199: 114,
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

/** A type that every server knows under this identifier, if it is one. */
export function builtInType(oid: number): CellType | undefined {
  const types: Readonly<Record<number, CellType>> = BUILT_IN;
  const element = BUILT_IN_ARRAYS[oid];
  return element === undefined ? types[oid] : arrayType(types[element] ?? { name: "text" }, ",");
}

/** Arrays of a type, of any depth. */
export function arrayType({ name, decode }: CellType, delimiter: string): CellType {
  const list = (elements: format.ArrayText): Cell =>
    elements.map((element) => {
      if (element === null) return null;
      if (typeof element !== "string") return list(element);
      return decode ? decode(element) : element;
    });
  return {
    name: `${name}[]`,
    decode: (text) => {
      const elements = format.parseArray(text, delimiter);
      return elements === undefined ? text : list(elements);
    },
  };
}

/** Rows of a named type. */
export function compositeType(
  name: string,
  fields: readonly (readonly [name: string, type: CellType])[],
): CellType {
  return {
    name,
    decode: (text) => {
      const values = format.parseRow(text);
      if (values.length !== fields.length) return text;
      return new Struct(fields.map(([field, { decode }], index) => {
        const value = values[index] ?? null;
        return [field, value === null || !decode ? value : decode(value)] as const;
      }));
    },
  };
}

/** A map of texts. */
export function hstoreType(name: string): CellType {
  return { name, decode: (text) => new Struct(format.parseHstore(text)) };
}

/** PostGIS writes the bytes of a geometry in hexadecimal. */
export function geometryType(name: string): CellType {
  return { name, decode: (text) => decodeWkb(text) ?? text };
}
