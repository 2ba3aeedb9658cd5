/**
 * DuckDB's answers to the questions of workbench.ts.
 */
import { quoteText } from "../../sql_text.ts";
import type { CatalogSql, Scope } from "../../workbench.ts";

const inScope = ({ schema, name }: Scope, column = "table_name") =>
  `database_name = current_database() AND schema_name = ${quoteText(schema ?? "main")}${
    name === undefined ? "" : ` AND lower(${column}) = lower(${quoteText(name)})`
  }`;

/** Whether a column is in a constraint of this kind. */
const isKey =
  `EXISTS (SELECT 1 FROM duckdb_constraints() k WHERE k.database_oid = c.database_oid AND k.schema_oid = c.schema_oid
  AND k.table_oid = c.table_oid AND k.constraint_type = 'PRIMARY KEY' AND list_contains(k.constraint_column_names, c.column_name))`;
/** The catalogue gives a generated column's expression as its default; only the table's text tells them apart. */
const isGenerated =
  `coalesce((SELECT regexp_matches(t.sql, '[(,] ?"?' || regexp_escape(c.column_name) || '"? [^,]*GENERATED ALWAYS AS')
  FROM duckdb_tables() t WHERE t.table_oid = c.table_oid AND t.schema_oid = c.schema_oid AND t.database_oid = c.database_oid), false)`;

/** The type of listed values as hosts read it: no spaces between the values. */
const LISTED = `CASE WHEN data_type LIKE 'ENUM(%)' THEN
  'enum(' || array_to_string(regexp_extract_all(data_type, '''(?:[^'']|'''')*'''), ',') || ')' END`;

export const CATALOG: CatalogSql = {
  schemas: () =>
    `SELECT schema_name FROM duckdb_schemas() WHERE database_name = current_database()
    AND schema_name NOT IN ('information_schema', 'pg_catalog') ORDER BY schema_name`,
  tables: (scope) => `
    SELECT table_name, comment FROM duckdb_tables() WHERE ${
    inScope(scope)
  } AND NOT internal AND NOT temporary ORDER BY table_name`,
  columns: (scope) => `
    SELECT table_name, column_name, data_type, ${isKey}, is_nullable,
      coalesce(column_default LIKE 'nextval(%', false), ${isGenerated}, column_default, NULL, comment, ${LISTED}
    FROM duckdb_columns() c WHERE ${inScope(scope)} AND NOT internal ORDER BY table_name, column_index`,
  foreignKeys: (scope) => `
    SELECT table_name, constraint_name, unnest(constraint_column_names), referenced_table, unnest(referenced_column_names),
      'NO ACTION', 'NO ACTION'
    FROM duckdb_constraints() WHERE ${
    inScope(scope)
  } AND constraint_type = 'FOREIGN KEY' ORDER BY table_name, constraint_index`,
  indexes: (scope) => `
    WITH keys AS (
      SELECT table_name, constraint_name AS name, constraint_column_names AS columns, true AS is_unique,
        constraint_type = 'PRIMARY KEY' AS is_primary
      FROM duckdb_constraints() WHERE ${inScope(scope)} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
      UNION ALL
      SELECT table_name, index_name, CAST(expressions AS VARCHAR[]), is_unique, false FROM duckdb_indexes() WHERE ${
    inScope(scope)
  }), parts AS (
      SELECT table_name, name, unnest(columns) AS part, is_unique, is_primary, generate_subscripts(columns, 1) AS place FROM keys)
    SELECT table_name, name, CASE WHEN part LIKE '"%"' THEN replace(part[2:-2], '""', '"') ELSE part END, is_unique, is_primary,
      place, NOT is_primary AND NOT regexp_full_match(part, '"([^"]|"")*"|\\w+')
    FROM parts ORDER BY table_name, is_primary DESC, name, place`,
  views: (scope) => `
    SELECT view_name FROM duckdb_views() WHERE ${
    inScope(scope, "view_name")
  } AND NOT internal ORDER BY view_name`,
  viewDefinition: (scope) =>
    `SELECT sql FROM duckdb_views() WHERE ${inScope(scope, "view_name")} AND NOT internal`,
  tableDefinition: (scope) => `
    SELECT sql FROM (SELECT 1 AS part, table_name AS name, sql FROM duckdb_tables() WHERE ${inScope(scope)}
      UNION ALL SELECT 2, index_name, sql FROM duckdb_indexes() WHERE ${inScope(scope)})
    WHERE sql IS NOT NULL ORDER BY part, name`,
};
