/**
 * Values as cells, from what the library hands out. Which reader a column needs is columns.ts's.
 */
import { isJson } from "../../base/json.ts";
import { shortestFloat } from "../short_float.ts";
import { type Cell, Decimal, JsonText } from "../values.ts";
import { toDate, toMoment } from "./dates.ts";
import { toWkt } from "./geometry.ts";

/** Makes a cell of a value of one column, which is not NULL. */
export type Reader = (value: unknown) => Cell;

export function plain(value: unknown): Cell {
  if (typeof value === "string" || typeof value === "number") return value;
  // a copy: the library's own bytes keep the whole packet in memory
  return value instanceof Uint8Array ? new Uint8Array(value) : String(value);
}

/** The library gives integers beyond 2^53 as text. */
export function toInteger(value: unknown): Cell {
  return typeof value === "string" ? BigInt(value) : plain(value);
}

export function toDecimal(value: unknown): Cell {
  return new Decimal(String(value));
}

/** ZEROFILL pads with zeros that no JSON number may have. */
export function toUnpaddedDecimal(value: unknown): Cell {
  return new Decimal(String(value).replace(/^0+(?=\d)/, ""));
}

export function toShortFloat(value: unknown): Cell {
  return typeof value === "number" ? shortestFloat(value) : plain(value);
}

export function toFloats(value: unknown): Cell {
  return Array.isArray(value) ? value.map(toShortFloat) : plain(value);
}

export function toDay(value: unknown): Cell {
  return value instanceof Uint8Array ? toDate(value) : plain(value);
}

/** `zone`: "" for a type without one. */
export function momentReader(decimals: number, zone: string): Reader {
  return (value) => value instanceof Uint8Array ? toMoment(value, { decimals, zone }) : plain(value);
}

/** MariaDB keeps documents as text, and can be told not to check it. */
export function toDocument(value: unknown): Cell {
  const text = String(value);
  return isJson(text) ? new JsonText(text) : text;
}

export function bitsReader(length: number): Reader {
  return (value) => {
    const bytes = value instanceof Uint8Array ? value : [];
    return Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("").slice(-length);
  };
}

export function toGeometry(value: unknown): Cell {
  return value instanceof Uint8Array ? toWkt(value) : plain(value);
}

/** About how many bytes of memory a cell takes beyond its place in the row. */
export function cellSize(cell: Cell): number {
  if (typeof cell === "string" || cell instanceof Uint8Array) return cell.length;
  return cell instanceof JsonText ? cell.text.length : 0;
}
