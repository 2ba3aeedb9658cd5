/**
 * Values as the host reads them (docs/values.md, plugin): exact text where a number would be bent, times with a space.
 */
import { quote } from "../../base/json.ts";
import type { Column } from "../../db/driver.ts";
import { type Cell, cellToJson, JsonText, type Row, Struct, type ValueStyle } from "../../db/values.ts";
import { writeBlob } from "./blob.ts";
import { survives } from "./json_document.ts";

const STYLE: ValueStyle = { bigNumbers: "string", nonFinite: "NaN" };

/** The text of a cell as JSON. */
type Write = (cell: Cell) => string;

export interface CellOptions {
  /** How much of a binary value is shown. */
  readonly blobBytes: number;
  readonly bitIsNumber: boolean;
}

/** Writes rows of these columns. */
export function rowWriter(columns: readonly Column[], options: CellOptions): (row: Row) => string {
  const writers = columns.map((column) => cellWriter(column, options));
  return (row) => {
    let text = "[";
    for (let at = 0; at < writers.length; at++) {
      if (at > 0) text += ",";
      text += writers[at]?.(row[at] ?? null) ?? "null";
    }
    return `${text}]`;
  };
}

function cellWriter({ type }: Column, { blobBytes, bitIsNumber }: CellOptions): Write {
  const name = type.toLowerCase();
  const text: (value: string) => string = /time|date/.test(name)
    ? (value) => quote(clockText(value))
    : bitIsNumber && name === "bit"
    ? (value) => value.length === 1 ? value : quote(value)
    : quote;
  const bytes = /^(?:var)?binary\b/.test(name)
    ? (value: Uint8Array) => quote(printable(value) ?? writeBlob(value, blobBytes))
    : (value: Uint8Array) => quote(writeBlob(value, blobBytes));
  // these keep the order of keys that the document was written with
  const sorted = name === "json";
  const write: Write = (cell) => {
    if (typeof cell === "string") return text(cell);
    if (cell === null || typeof cell !== "object") return cellToJson(cell, STYLE);
    if (cell instanceof Uint8Array) return bytes(cell);
    if (cell instanceof JsonText) {
      return survives(cell.text, { sorted }) ? cellToJson(cell, STYLE) : quote(cell.text);
    }
    if (cell instanceof Struct) {
      return `{${cell.entries.map(([key, value]) => `${quote(key)}:${write(value)}`).join(",")}}`;
    }
    return isList(cell) ? `[${cell.map(write).join(",")}]` : cellToJson(cell, STYLE);
  };
  return write;
}

function isList(cell: Cell): cell is readonly Cell[] {
  return Array.isArray(cell);
}

/** `2024-01-02T03:04:05+00:00` as `2024-01-02 03:04:05+00`; every other text as it is. */
function clockText(text: string): string {
  return text.replace(/^(\d{4,}-\d\d-\d\d)T/, "$1 ").replace(/(:\d\d(?:\.\d+)?[+-]\d\d):00$/, "$1");
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
