/**
 * Values as cells, from what the library hands out. Which reader a column needs is columns.ts's.
 */
import { type Cell, Decimal, JsonText } from "../values.ts";
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

/** ZEROFILL pads with zeros that no JSON number may have. */
export function toDecimal(value: unknown): Cell {
  return new Decimal(String(value).replace(/^(-?)0+(?=\d)/, "$1"));
}

/** The shortest number that is the same FLOAT: 0.1, not 0.10000000149011612. */
export function toShortFloat(value: unknown): Cell {
  if (typeof value !== "number") return plain(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

export function toFloats(value: unknown): Cell {
  return Array.isArray(value) ? value.map(toShortFloat) : plain(value);
}

/** Days and months of zero are no ISO date; such values stay as the server writes them. */
const ZERO_DATE = /^\d{4}-(?:00|\d\d-00)/;

export function toTimestamp(value: unknown): Cell {
  const text = String(value);
  return ZERO_DATE.test(text) ? text : text.replace(" ", "T");
}

/** TIMESTAMP is a moment; the session's time zone is UTC. */
export function toInstant(value: unknown): Cell {
  const text = String(value);
  return ZERO_DATE.test(text) ? text : `${text.replace(" ", "T")}+00:00`;
}

/** MariaDB keeps documents as text, and can be told not to check it. */
export function toDocument(value: unknown): Cell {
  const text = String(value);
  try {
    JSON.parse(text);
    return new JsonText(text);
  } catch {
    return text;
  }
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
