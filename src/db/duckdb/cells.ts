/**
 * DuckDB's values as Cells. The conversion is chosen once for each column; rows are read chunk by chunk.
 */
import type { DuckDBDataChunk, DuckDBResult, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { isJson } from "../../base/json.ts";
import { type Cell, JsonText, type Row, Struct } from "../values.ts";
import type { DuckDb } from "./library.ts";
import { scalarToCell, type ToCell, unexpected } from "./scalars.ts";
import { variantToCell } from "./variant.ts";

/** The rows of a chunk, from one place up to another. A slice remembers its own values, the whole vector would all. */
export function chunkRows(
  chunk: DuckDBDataChunk,
  columns: readonly ToCell[],
  { from = 0, to = chunk.rowCount } = {},
): Row[] {
  const length = to - from;
  const vectors = columns.map((toCell, index) => ({
    toCell,
    vector: chunk.getColumnVector(index).slice(from, length),
  }));
  return Array.from(
    { length },
    (_, at) => vectors.map(({ toCell, vector }) => toCell(vector.getItem(at))),
  );
}

/** Every row of a result, for queries of our own. */
export async function readRows(result: DuckDBResult, api: DuckDb): Promise<Row[]> {
  const toCells = result.columnTypes().map((type) => toCellOf(type, api));
  return (await result.fetchAllChunks()).flatMap((chunk) => chunkRows(chunk, toCells));
}

/** Converts the values of one type. Throws Fault `unsupported_value` for a type this build does not know. */
export function toCellOf(type: DuckDBType, api: DuckDb): ToCell {
  const convert = type.alias === "JSON" ? jsonText : nestedToCell(type, api) ?? scalarToCell(type, api);
  return (value) => value === null ? null : convert(value);
}

/** The engine's name of a type, as a person writes it. */
export function typeName(type: DuckDBType): string {
  return type.alias ?? type.toString();
}

function nestedToCell(type: DuckDBType, api: DuckDb): ToCell | undefined {
  if (type instanceof api.DuckDBListType || type instanceof api.DuckDBArrayType) {
    const element = toCellOf(type.valueType, api);
    return (value) =>
      value instanceof api.DuckDBListValue || value instanceof api.DuckDBArrayValue
        ? value.items.map(element)
        : unexpected(type);
  }
  if (type instanceof api.DuckDBStructType) {
    // the library gives objects, in which members without names would take each other's place
    if (new Set(type.entryNames).size < type.entryCount) return () => unexpected(type);
    const members = type.entryNames.map((name, at) => ({
      name,
      toCell: toCellOf(member(type.entryTypes, at), api),
    }));
    return (value) => {
      if (!(value instanceof api.DuckDBStructValue)) return unexpected(type);
      const { entries } = value;
      return new Struct(members.map(({ name, toCell }) => [name, toCell(entries[name] ?? null)]));
    };
  }
  if (type instanceof api.DuckDBMapType) {
    const [key, value] = [toCellOf(type.keyType, api), toCellOf(type.valueType, api)];
    return (map) =>
      map instanceof api.DuckDBMapValue
        ? mapCell(map.entries.map((entry) => [key(entry.key), value(entry.value)] as const))
        : unexpected(type);
  }
  if (type instanceof api.DuckDBUnionType) {
    const members = new Map(
      type.memberTags.map((tag, at) => [tag, toCellOf(member(type.memberTypes, at), api)]),
    );
    return (value) =>
      value instanceof api.DuckDBUnionValue
        ? members.get(value.tag)?.(value.value) ?? null
        : unexpected(type);
  }
  return type.typeId === api.DuckDBTypeId.VARIANT ? variantToCell(api) : undefined;
}

/** A map whose keys are text is an object; every other one is a list of pairs. */
export function mapCell(entries: readonly (readonly [Cell, Cell])[]): Cell {
  const named: [string, Cell][] = [];
  for (const [key, value] of entries) {
    if (typeof key !== "string") return entries;
    named.push([key, value]);
  }
  return new Struct(named);
}

function member(types: readonly DuckDBType[], at: number): DuckDBType {
  const type = types[at];
  if (type === undefined) throw new Error("a member without a type");
  return type;
}

/** What DuckDB takes for JSON and others do not: NaN, infinities, a comma behind the last element. */
const PERHAPS_NO_JSON = /nan|inf|,\s*[\]}]/i;

function jsonText(value: DuckDBValue): Cell {
  if (typeof value !== "string") return unexpected();
  return PERHAPS_NO_JSON.test(value) && !isJson(value) ? value : new JsonText(value);
}
