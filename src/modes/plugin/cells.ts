/**
 * Values as the host reads them (docs/values.md, plugin): exact text where a number would be bent, times with a space.
 */
import { type Plain, plainToJson, quote } from "../../base/json.ts";
import type { Column } from "../../db/driver.ts";
import {
  type Cell,
  cellToJson,
  Decimal,
  JsonText,
  type Row,
  Struct,
  type ValueStyle,
} from "../../db/values.ts";
import { writeBlob } from "./blob.ts";
import { survives } from "./json_document.ts";

const STYLE: ValueStyle = { bigNumbers: "string", nonFinite: "NaN" };

export interface CellOptions {
  /** How much of a binary value is shown. */
  readonly blobBytes: number;
  readonly bitIsNumber: boolean;
}

/** How the cells of one column are written. */
interface ColumnWriter {
  /** The value that JSON.stringify writes as the cell is to be; undefined where there is none. */
  plain(cell: Cell): Plain | undefined;
  /** The text of a cell as JSON. */
  write(cell: Cell): string;
}

/** Writes rows of these columns. */
export function rowWriter(columns: readonly Column[], options: CellOptions): (row: Row) => string {
  const writers = columns.map((column) => columnWriter(column, options));
  return (row) => {
    const values: Plain[] = [];
    for (let at = 0; at < writers.length; at++) {
      const value = writers[at]?.plain(row[at] ?? null);
      if (value === undefined) return `[${writers.map(({ write }, at) => write(row[at] ?? null)).join(",")}]`;
      values.push(value);
    }
    return plainToJson(values);
  };
}

function columnWriter({ type }: Column, options: CellOptions): ColumnWriter {
  const name = type.toLowerCase();
  const plain = plainWriter(name, options);
  // these keep the order of keys that the document was written with
  const sorted = name === "json";
  const write = (cell: Cell): string => {
    const value = plain(cell);
    if (value !== undefined) return plainToJson(value);
    if (cell instanceof JsonText) {
      return survives(cell.text, { sorted }) ? cellToJson(cell, STYLE) : quote(cell.text);
    }
    if (cell instanceof Struct) {
      return `{${cell.entries.map(([key, value]) => `${quote(key)}:${write(value)}`).join(",")}}`;
    }
    return isList(cell) ? `[${cell.map(write).join(",")}]` : cellToJson(cell, STYLE);
  };
  return { plain, write };
}

function plainWriter(name: string, { blobBytes, bitIsNumber }: CellOptions): ColumnWriter["plain"] {
  const text: (value: string) => Plain = /time|date/.test(name)
    ? clockText
    : bitIsNumber && name === "bit"
    ? (value) => value.length === 1 ? Number(value) : value
    : (value) => value;
  const isText = /^(?:var)?binary\b/.test(name);
  return (cell) => {
    switch (typeof cell) {
      case "string":
        return text(cell);
      case "number":
        return Object.is(cell, -0) ? undefined : Number.isFinite(cell) ? cell : String(cell);
      case "bigint":
        return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
      case "boolean":
        return cell;
    }
    if (cell === null) return null;
    if (cell instanceof Decimal) return cell.text;
    if (!(cell instanceof Uint8Array)) return undefined;
    return (isText ? printable(cell) : undefined) ?? writeBlob(cell, blobBytes);
  };
}

function isList(cell: Cell): cell is readonly Cell[] {
  return Array.isArray(cell);
}

/** `2024-01-02T03:04:05+00:00` as `2024-01-02 03:04:05+00`; every other text as it is. */
function clockText(text: string): string {
  const at = text.indexOf("T");
  const spaced = at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + 1)}`;
  const isWholeHours = spaced.endsWith(":00") && /[+-]/.test(spaced.charAt(spaced.length - 6));
  return isWholeHours ? spaced.slice(0, -3) : spaced;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text that the bytes are, if they are one that can be shown. */
function printable(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return /\p{Cc}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
