/**
 * What the opened database holds: tables and views with all their parts.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { ColumnDetail, ForeignKey, Index, Table, TableDetail } from "../driver.ts";
import type { Cell, Row } from "../values.ts";
import { type CatalogOptions, COLUMNS, CONSTRAINTS, INDEXES, select, TABLES } from "./catalog_queries.ts";

/** Tables and views, ordered by schema and name. */
export async function readTables(connection: DuckDBConnection, options: CatalogOptions): Promise<Table[]> {
  const rows = await select(connection, { sql: TABLES, ...options });
  return rows.map(([schema, name, kind, comment, estimate]) => ({
    schema: text(schema),
    name: text(name),
    kind: kind === "view" ? "view" : "table",
    ...(typeof comment === "string" ? { comment } : {}),
    ...(typeof estimate === "number" ? { rowEstimate: estimate } : {}),
  }));
}

/** The same with all their parts. */
export async function readDetails(
  connection: DuckDBConnection,
  options: CatalogOptions,
): Promise<TableDetail[]> {
  const tables = await readTables(connection, options);
  const columns = byTable(await select(connection, { sql: COLUMNS, ...options }));
  const constraints = byTable(await select(connection, { sql: CONSTRAINTS, ...options }));
  const indexes = byTable(await select(connection, { sql: INDEXES, ...options }));
  return tables.map((table) => {
    const key = keyOf(table.schema, table.name);
    const own = constraints.get(key) ?? [];
    const kind = (wanted: string) => own.filter(([type]) => type === wanted);
    return {
      ...table,
      columns: (columns.get(key) ?? []).map(toColumn),
      primaryKey: kind("PRIMARY KEY").flatMap(([, , names]) => texts(names)),
      foreignKeys: kind("FOREIGN KEY").map((row) => toForeignKey(row, table.schema)),
      indexes: [...kind("UNIQUE").map(toUniqueIndex), ...(indexes.get(key) ?? []).map(toIndex)],
    };
  });
}

/** Rows that begin with schema and table, without these two. */
function byTable(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const [schema, table, ...row] of rows) {
    const key = keyOf(text(schema), text(table));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

function keyOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

function toColumn([name, type, nullable, expression, comment, isGenerated]: Row): ColumnDetail {
  return {
    name: text(name),
    type: text(type),
    nullable: nullable === true,
    ...(typeof expression === "string"
      ? { [isGenerated === true ? "generated" : "default"]: expression }
      : {}),
    ...(typeof comment === "string" ? { comment } : {}),
  };
}

/** DuckDB has no foreign keys across schemas. */
function toForeignKey([, , columns, table, referenced]: Row, schema: string): ForeignKey {
  return { columns: texts(columns), references: { schema, table: text(table), columns: texts(referenced) } };
}

function toUniqueIndex([, name, columns]: Row): Index {
  return { name: text(name), columns: texts(columns), unique: true };
}

function toIndex([name, unique, expressions]: Row): Index {
  return { name: text(name), columns: texts(expressions).map(unquoted), unique: unique === true };
}

/** A lone quoted name as the name it is; every other expression as it stands. */
function unquoted(expression: string): string {
  return /^"(?:[^"]|"")+"$/.test(expression) ? expression.slice(1, -1).replaceAll('""', '"') : expression;
}

function text(cell: Cell | undefined): string {
  return typeof cell === "string" ? cell : "";
}

function texts(cell: Cell | undefined): string[] {
  return Array.isArray(cell) ? cell.map(text) : [];
}
