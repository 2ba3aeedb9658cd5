/**
 * The tables of a SQLite file and their parts. What only the stored CREATE text tells (expressions) is ddl.ts's.
 */
import { Fault } from "../../base/fault.ts";
import type { CatalogRequest, ColumnDetail, ForeignKey, Index, Table, TableDetail } from "../driver.ts";
import type { Cell, Row } from "../values.ts";
import { COLUMNS, COLUMNS_OF_ONE, FOREIGN_KEYS, INDEXES, TABLES } from "./catalog_queries.ts";
import { generatedExpression, indexParts } from "./ddl.ts";

/** The only schema there is: ATTACH is never allowed. */
const SCHEMA = "main";

/** Runs a statement of ours and gives all its rows. */
export type Ask = (sql: string, parameters: readonly (string | null)[]) => Promise<readonly Row[]>;

/** By table, its parts of one kind. */
type Parts = ReadonlyMap<Cell, readonly Row[]>;

export async function readTables(ask: Ask, { pattern }: CatalogRequest): Promise<Table[]> {
  return (await ask(TABLES, bindings(pattern))).map(toTable);
}

export async function readDetails(ask: Ask, { pattern }: CatalogRequest): Promise<TableDetail[]> {
  const parameters = bindings(pattern);
  const tables = await ask(TABLES, parameters);
  const columns = toParts(await readColumns(ask, { parameters, tables }));
  const foreignKeys = toParts(await ask(FOREIGN_KEYS, parameters));
  const indexes = toParts(await ask(INDEXES, parameters));
  return tables.map((row) => {
    const of = (parts: Parts) => parts.get(row[0] ?? null) ?? [];
    const hasKeyIndex = of(indexes).some(([, , origin]) => origin === "pk");
    return {
      ...toTable(row),
      ...toColumns(of(columns), { hasKeyIndex }),
      foreignKeys: toForeignKeys(of(foreignKeys)),
      indexes: toIndexes(of(indexes)),
    };
  });
}

/**
 * A view over a table that is gone, or a virtual table without its module, fails the query for all; then they are asked for
 * one by one, and such a one has no columns to tell.
 */
async function readColumns(
  ask: Ask,
  { parameters, tables }: { parameters: readonly (string | null)[]; tables: readonly Row[] },
): Promise<Row[]> {
  const all = await attempt(ask(COLUMNS, parameters));
  if (all !== undefined) return [...all];
  const rows: Row[] = [];
  for (const [name] of tables) rows.push(...await attempt(ask(COLUMNS_OF_ONE, [text(name)])) ?? []);
  return rows;
}

/** What SQLite says of a view or a virtual table that is broken. */
const BROKEN: ReadonlySet<string> = new Set(["unknown_relation", "unknown_column", "database_error"]);

/** Undefined when a table is broken. */
async function attempt(rows: Promise<readonly Row[]>): Promise<readonly Row[] | undefined> {
  try {
    return await rows;
  } catch (error) {
    if (error instanceof Fault && BROKEN.has(error.code)) return undefined;
    throw error;
  }
}

function bindings(pattern: string | undefined): readonly (string | null)[] {
  const dot = pattern?.indexOf(".") ?? -1;
  if (pattern === undefined || dot < 0) return [pattern ?? null, null, null];
  return [pattern, pattern.slice(0, dot), pattern.slice(dot + 1)];
}

function toParts(rows: readonly Row[]): Parts {
  return new Map(rows.map(([table = null, parts]) => [table, JSON.parse(text(parts))]));
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
  { hasKeyIndex }: { hasKeyIndex: boolean },
): Pick<TableDetail, "columns" | "primaryKey"> {
  const place = (row: Row) => Number(row[4]);
  const key = rows.filter((row) => place(row) > 0).sort((a, b) => place(a) - place(b));
  return {
    // A key without an index is the row number itself, which is never NULL.
    columns: rows.map((row) => toColumn(row, { isRowNumber: place(row) > 0 && !hasKeyIndex })),
    primaryKey: key.map(([name]) => text(name)),
  };
}

function toColumn(row: Row, { isRowNumber }: { isRowNumber: boolean }): ColumnDetail {
  const [name, type, notNull, defaultValue, , sql] = row;
  const generated = typeof sql === "string" ? generatedExpression(sql, text(name)) : undefined;
  return {
    name: text(name),
    type: text(type),
    nullable: notNull === 0 && !isRowNumber,
    ...typeof defaultValue === "string" ? { default: defaultValue } : {},
    ...generated === undefined ? {} : { generated },
  };
}

function toForeignKeys(rows: readonly Row[]): ForeignKey[] {
  return [...Map.groupBy(rows, ([id]) => id).values()].map((pairs) => ({
    columns: pairs.map(([, , from]) => text(from)),
    references: {
      schema: SCHEMA,
      table: text(pairs[0]?.[1]),
      columns: pairs.flatMap(([, , , to]) => typeof to === "string" ? [to] : []),
    },
  }));
}

function toIndexes(rows: readonly Row[]): Index[] {
  const created = rows.filter(([, , origin]) => origin !== "pk");
  return [...Map.groupBy(created, ([name]) => name).values()].map((parts) => {
    const [name, unique] = parts[0] ?? [];
    const sql = parts.map((part) => part[4]).find((each) => typeof each === "string");
    const stored = sql === undefined ? undefined : indexParts(sql);
    return {
      name: text(name),
      columns: parts.map((part, index) => part[3] === null ? stored?.columns[index] ?? "" : text(part[3])),
      unique: unique === 1,
      ...stored?.where === undefined ? {} : { where: stored.where },
    };
  });
}

function text(cell: Cell | undefined): string {
  return typeof cell === "string" ? cell : "";
}
