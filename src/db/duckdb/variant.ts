/**
 * VARIANT values: each carries its own type, so that lists and members may mix them.
 */
import type { DuckDBValue } from "@duckdb/node-api";
import { Fault } from "../../base/fault.ts";
import { type Cell, Struct } from "../values.ts";
import { mapCell } from "./cells.ts";
import type { DuckDb } from "./library.ts";
import { integer } from "./numbers.ts";
import { objectToCell } from "./scalars.ts";

/** Converts the values of one column. Throws Fault `unsupported_value` for what this version of the library does not know. */
export function variantToCell(api: DuckDb): (value: DuckDBValue) => Cell {
  const scalar = objectToCell(api);
  const toCell = (value: DuckDBValue): Cell => {
    if (typeof value === "bigint") return integer(value);
    if (value === null || typeof value !== "object") return value;
    if (value instanceof api.DuckDBVariantValue) return toCell(value.value);
    if (value instanceof api.DuckDBListValue || value instanceof api.DuckDBArrayValue) {
      return value.items.map(toCell);
    }
    if (value instanceof api.DuckDBStructValue) {
      return new Struct(Object.entries(value.entries).map(([name, each]) => [name, toCell(each)]));
    }
    if (value instanceof api.DuckDBMapValue) {
      return mapCell(value.entries.map((entry) => [toCell(entry.key), toCell(entry.value)] as const));
    }
    const cell = scalar(value);
    if (cell !== undefined) return cell;
    throw new Fault(
      "unsupported_value",
      "Cannot read a VARIANT value: its type is unknown. Cast it to text in SQL.",
    );
  };
  return toCell;
}
