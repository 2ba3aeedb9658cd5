/**
 * The tables of a SQLite file and their parts: one query for each kind of part, over all tables at once.
 * What only the stored CREATE text tells (expressions) is ddl.ts's.
 */
import type { CatalogRequest, ColumnDetail, ForeignKey, Index, Table, TableDetail } from "../driver.ts";
import type { Cell, Row } from "../values.ts";
import { COLUMNS, FOREIGN_KEYS, INDEXES, TABLES } from "./catalog_queries.ts";
import { generatedExpression, indexParts } from "./ddl.ts";

/** The only schema there is: ATTACH is never allowed. */
const SCHEMA = "main";

/** Runs a statement of ours and gives all its rows. */
export type Ask = (sql: string, parameters: readonly (string | null)[]) => Promise<readonly Row[]>;

export async function readTables(ask: Ask, { pattern }: CatalogRequest): Promise<Table[]> {
  return (await ask(TABLES, bindings(pattern))).map(toTable);
}

export async function readDetails(ask: Ask, { pattern }: CatalogRequest): Promise<TableDetail[]> {
  const parameters = bindings(pattern);
  const tables = await ask(TABLES, parameters);
  const columns = byTable(await ask(COLUMNS, parameters));
  const foreignKeys = byTable(await ask(FOREIGN_KEYS, parameters));
  const indexes = byTable(await ask(INDEXES, parameters));
  return tables.map((row) => {
    const parts = (map: ReadonlyMap<Cell, Row[]>) => map.get(row[0] ?? null) ?? [];
    const ofIndexes = parts(indexes);
    return {
      ...toTable(row),
      ...toColumns(parts(columns), ofIndexes),
      foreignKeys: toForeignKeys(parts(foreignKeys)),
      indexes: toIndexes(ofIndexes),
    };
  });
}

function bindings(pattern: string | undefined): readonly (string | null)[] {
  const dot = pattern?.indexOf(".") ?? -1;
  if (pattern === undefined || dot < 0) return [pattern ?? null, null, null];
  return [pattern, pattern.slice(0, dot), pattern.slice(dot + 1)];
}

function byTable(rows: readonly Row[]): Map<Cell, Row[]> {
  return Map.groupBy(rows, ([table]) => table ?? null);
}

function toTable([name, type]: Row): Table {
  return {
    schema: SCHEMA,
    name: text(name),
    kind: type === "view" ? "view" : type === "virtual" ? "virtual table" : "table",
  };
}

function toColumns(
  rows: readonly Row[],
  indexes: readonly Row[],
): Pick<TableDetail, "columns" | "primaryKey"> {
  const keyed = rows.filter((row) => row[5] !== 0).sort((a, b) => Number(a[5]) - Number(b[5]));
  // A key without an index is the row number itself, which is never NULL.
  const isRowNumber = keyed.length > 0 && !indexes.some((row) => row[3] === "pk");
  return {
    columns: rows.map((row) => toColumn(row, isRowNumber)),
    primaryKey: keyed.map((row) => text(row[1])),
  };
}

function toColumn(row: Row, isRowNumber: boolean): ColumnDetail {
  const [, name, type, notNull, defaultValue, key, , sql] = row;
  const generated = typeof sql === "string" ? generatedExpression(sql, text(name)) : undefined;
  return {
    name: text(name),
    type: text(type),
    nullable: notNull === 0 && !(key !== 0 && isRowNumber),
    ...typeof defaultValue === "string" ? { default: defaultValue } : {},
    ...generated === undefined ? {} : { generated },
  };
}

function toForeignKeys(rows: readonly Row[]): ForeignKey[] {
  return [...Map.groupBy(rows, (row) => row[1]).values()].map((pairs) => ({
    columns: pairs.map((row) => text(row[3])),
    references: {
      schema: SCHEMA,
      table: text(pairs[0]?.[2]),
      columns: pairs.flatMap((row) => typeof row[4] === "string" ? [row[4]] : []),
    },
  }));
}

function toIndexes(rows: readonly Row[]): Index[] {
  const created = rows.filter((row) => row[3] !== "pk");
  return [...Map.groupBy(created, (row) => row[1]).values()].map((parts) => {
    const [, name, unique, , , sql] = parts[0] ?? [];
    const stored = typeof sql === "string" ? indexParts(sql) : undefined;
    return {
      name: text(name),
      columns: parts.map((row, index) => row[4] === null ? stored?.columns[index] ?? "" : text(row[4])),
      unique: unique === 1,
      ...stored?.where === undefined ? {} : { where: stored.where },
    };
  });
}

function text(cell: Cell | undefined): string {
  return typeof cell === "string" ? cell : "";
}
