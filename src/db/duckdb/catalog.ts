/**
 * What the opened database holds: tables and views with all their parts.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { ColumnDetail, ForeignKey, Index, Table, TableDetail } from "../driver.ts";
import { quoteName } from "../sql_text.ts";
import type { Cell, Row } from "../values.ts";
import { type CatalogOptions, COLUMNS, CONSTRAINTS, INDEXES, select, TABLES } from "./catalog_queries.ts";

/** Tables and views, ordered by schema and name. */
export async function readTables(connection: DuckDBConnection, options: CatalogOptions): Promise<Table[]> {
  return (await select(connection, { sql: TABLES, ...options })).map(toTable);
}

/** The same with all their parts. */
export async function readDetails(
  connection: DuckDBConnection,
  options: CatalogOptions,
): Promise<TableDetail[]> {
  const tables = await select(connection, { sql: TABLES, ...options });
  const columns = byTable(await select(connection, { sql: COLUMNS, ...options }));
  const constraints = byTable(await select(connection, { sql: CONSTRAINTS, ...options }));
  const indexes = byTable(await select(connection, { sql: INDEXES, ...options }));
  return tables.map((row): TableDetail => {
    const [oid = null] = row;
    const own = constraints.get(oid) ?? [];
    const kind = (wanted: string) => own.filter(([, , type]) => type === wanted);
    const definition = text(row[6]);
    return {
      ...toTable(row),
      columns: (columns.get(oid) ?? []).map((column) => toColumn(column, definition)),
      primaryKey: kind("PRIMARY KEY").flatMap(([, , , , names]) => texts(names)),
      foreignKeys: kind("FOREIGN KEY").map(toForeignKey),
      indexes: [...kind("UNIQUE").map(toUniqueIndex), ...(indexes.get(oid) ?? []).map(toIndex)],
    };
  });
}

/** By the number of the table, with which each row begins. */
function byTable(rows: readonly Row[]): Map<Cell, Row[]> {
  return Map.groupBy(rows, ([oid = null]) => oid);
}

function toTable([, schema, name, kind, comment, estimate]: Row): Table {
  return {
    schema: text(schema),
    name: text(name),
    kind: kind === "view" ? "view" : "table",
    ...(typeof comment === "string" ? { comment } : {}),
    ...(typeof estimate === "number" ? { rowEstimate: estimate } : {}),
  };
}

function toColumn([, name, type, nullable, expression, comment]: Row, definition: string): ColumnDetail {
  const column = { name: text(name), type: text(type), nullable: nullable === true };
  const what = isGenerated(column, definition) ? "generated" : "default";
  return {
    ...column,
    ...(typeof expression === "string" ? { [what]: expression } : {}),
    ...(typeof comment === "string" ? { comment } : {}),
  };
}

/** The catalogue gives a generated column's expression as its default; only the table's text tells them apart. */
function isGenerated({ name, type }: ColumnDetail, definition: string): boolean {
  const names = [name, quoteName(name)];
  return ["(", ", "].some((before) =>
    names.some((each) => definition.includes(`${before}${each} ${type} GENERATED ALWAYS AS`))
  );
}

/** DuckDB has no foreign keys across schemas. */
function toForeignKey([, schema, , , columns, table, referenced]: Row): ForeignKey {
  const references = { schema: text(schema), table: text(table), columns: texts(referenced) };
  return { columns: texts(columns), references };
}

function toUniqueIndex([, , , name, columns]: Row): Index {
  return { name: text(name), columns: texts(columns), unique: true };
}

function toIndex([, name, unique, expressions]: Row): Index {
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
