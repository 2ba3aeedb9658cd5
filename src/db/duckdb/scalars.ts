/**
 * Values of DuckDB's scalar types as Cells.
 */
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { Fault } from "../../base/fault.ts";
import { shortestFloat } from "../short_float.ts";
import { type Cell, Decimal } from "../values.ts";
import { decodeWkb } from "../wkb.ts";
import { dateWriter } from "./calendar.ts";
import { intervalText } from "./interval.ts";
import type { DuckDb } from "./library.ts";
import { decimalText, integer } from "./numbers.ts";
import * as temporal from "./temporal.ts";

/** What a column does with its values, which are not null. */
export type ToCell = (value: DuckDBValue) => Cell;

/** Throws Fault `unsupported_value` for a type this build does not know. */
export function scalarToCell(type: DuckDBType, api: DuckDb): ToCell {
  const id = api.DuckDBTypeId;
  switch (type.typeId) {
    case id.BOOLEAN:
    case id.TINYINT:
    case id.SMALLINT:
    case id.INTEGER:
    case id.UTINYINT:
    case id.USMALLINT:
    case id.UINTEGER:
    case id.DOUBLE:
    case id.VARCHAR:
    case id.ENUM:
      return plain;
    case id.BIGINT:
    case id.UBIGINT:
    case id.HUGEINT:
    case id.UHUGEINT:
    case id.BIGNUM:
      return (value) => typeof value === "bigint" ? integer(value) : unexpected(type);
    case id.FLOAT:
      return (value) => typeof value === "number" ? shortestFloat(value) : unexpected(type);
    case id.SQLNULL:
      return () => null;
    default: {
      const toCell = objectToCell(api);
      return (value) => toCell(value) ?? unexpected(type);
    }
  }
}

/**
 * Converts the values of scalar types that the library wraps in objects, for one column; undefined for every other value.
 * The common types come first.
 */
export function objectToCell(api: DuckDb): (value: DuckDBValue) => Cell | undefined {
  const timestamp = temporal.timestampWriter(temporal.MICROS, { isZoned: false });
  const zoned = temporal.timestampWriter(temporal.MICROS, { isZoned: true });
  const date = dateWriter();
  return (value) => {
    if (value instanceof api.DuckDBDecimalValue) return new Decimal(decimalText(value.value, value.scale));
    if (value instanceof api.DuckDBTimestampValue) return timestamp(value.micros);
    if (value instanceof api.DuckDBDateValue) return date(value.days);
    if (value instanceof api.DuckDBTimestampTZValue) return zoned(value.micros);
    return rareToCell(value, api);
  };
}

function rareToCell(value: DuckDBValue, api: DuckDb): Cell | undefined {
  if (value instanceof api.DuckDBUUIDValue || value instanceof api.DuckDBBitValue) return value.toString();
  if (value instanceof api.DuckDBBlobValue) return new Uint8Array(value.bytes);
  if (value instanceof api.DuckDBTimeValue) return temporal.timeText(Number(value.micros), temporal.MICROS);
  if (value instanceof api.DuckDBTimeNSValue) return temporal.timeText(Number(value.nanos), temporal.NANOS);
  if (value instanceof api.DuckDBTimeTZValue) {
    return temporal.zonedTimeText(Number(value.micros), value.offset);
  }
  if (value instanceof api.DuckDBTimestampSecondsValue) return timestamp(value.seconds, temporal.SECONDS);
  if (value instanceof api.DuckDBTimestampMillisecondsValue) return timestamp(value.millis, temporal.MILLIS);
  if (value instanceof api.DuckDBTimestampNanosecondsValue) return timestamp(value.nanos, temporal.NANOS);
  if (value instanceof api.DuckDBIntervalValue) return intervalText(value);
  if (value instanceof api.DuckDBGeometryValue) return decodeWkb(value.bytes) ?? new Uint8Array(value.bytes);
  return undefined;
}

function timestamp(ticks: bigint, precision: temporal.Precision): string {
  return temporal.timestampWriter(precision, { isZoned: false })(ticks);
}

function plain(value: DuckDBValue): Cell {
  return typeof value === "object" || typeof value === "bigint" ? unexpected() : value;
}

export function unexpected(type?: DuckDBType): never {
  const named = type === undefined ? "" : ` of type ${type}`;
  throw new Fault(
    "unsupported_value",
    `Cannot read a value${named}: this version does not know it. Cast it to text in SQL.`,
  );
}
