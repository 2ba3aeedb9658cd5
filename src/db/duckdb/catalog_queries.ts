/**
 * The queries that read DuckDB's catalogue functions: one for each kind of object.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Row } from "../values.ts";
import { readRows } from "./cells.ts";
import type { DuckDb } from "./library.ts";

/** Schemas of DuckDB's own. */
const OWN_SCHEMAS = ["information_schema", "pg_catalog", "duckdb_catalog"];

/**
 * The objects of the opened database alone, of schemas that are not hidden, whose names match. Every function is qualified,
 * and operators are written as functions (`~~` is LIKE): a macro of the database could stand before one that is not.
 */
const VISIBLE = `
  database_name = system.main.current_database()
  AND NOT system.main.list_contains(CAST($hidden AS VARCHAR[]), schema_name)
  AND ($name IS NULL OR system.main."~~"(table_name, $name)
    OR (system.main."~~"(schema_name, $schema) AND system.main."~~"(table_name, $table)))`;

/** The text of a table with generated columns stands at the end. */
export const TABLES = `
  SELECT oid, schema_name, table_name, kind, comment, estimated_size, text FROM (
    SELECT table_oid AS oid, database_name, schema_name, table_name, 'table' AS kind, comment, estimated_size,
        CASE WHEN system.main.contains(sql, ' GENERATED ALWAYS AS') THEN sql END AS text
      FROM system.main.duckdb_tables() WHERE NOT internal
    UNION ALL
    SELECT view_oid, database_name, schema_name, view_name AS table_name, 'view', comment, NULL, NULL
      FROM system.main.duckdb_views() WHERE NOT internal
  ) WHERE ${VISIBLE} ORDER BY schema_name, table_name`;

/** The parts of tables begin with the table's number: its names would be read once for each part. */
export const COLUMNS = `
  SELECT table_oid, column_name, data_type, is_nullable, column_default, comment
  FROM system.main.duckdb_columns()
  WHERE NOT internal AND ${VISIBLE} ORDER BY table_oid, column_index`;

export const CONSTRAINTS = `
  SELECT table_oid, schema_name, constraint_type, constraint_name, constraint_column_names, referenced_table,
    referenced_column_names
  FROM system.main.duckdb_constraints()
  WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') AND ${VISIBLE}
  ORDER BY table_oid, constraint_index`;

export const INDEXES = `
  SELECT table_oid, index_name, is_unique, CAST(expressions AS VARCHAR[])
  FROM system.main.duckdb_indexes() WHERE ${VISIBLE} ORDER BY table_oid, index_name`;

export interface CatalogOptions {
  readonly api: DuckDb;
  readonly excludeSchemas: readonly string[];
  /** As in CatalogRequest. */
  readonly pattern: string | undefined;
}

/** Every row of one of the queries. */
export async function select(
  connection: DuckDBConnection,
  { sql, pattern, api, excludeSchemas }: CatalogOptions & { readonly sql: string },
): Promise<Row[]> {
  const [schema, table] = splitPattern(pattern);
  const bound = {
    hidden: api.listValue([...OWN_SCHEMAS, ...excludeSchemas]),
    name: pattern ?? null,
    schema,
    table,
  };
  const types = { hidden: api.LIST(api.VARCHAR), name: api.VARCHAR, schema: api.VARCHAR, table: api.VARCHAR };
  const used = Object.fromEntries(Object.entries(bound).filter(([name]) => sql.includes(`$${name}`)));
  return await readRows(await connection.run(sql, used, types), api);
}

/** The parts before and behind the first dot; NULL, which matches nothing, without one. */
function splitPattern(pattern: string | undefined): readonly [string, string] | readonly [null, null] {
  const dot = pattern?.indexOf(".") ?? -1;
  return pattern === undefined || dot < 0 ? [null, null] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
}
