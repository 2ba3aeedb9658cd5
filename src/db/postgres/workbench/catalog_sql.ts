/**
 * PostgreSQL's answers to the questions of workbench.ts about relations. Routines and triggers are routine_sql.ts's.
 */
import { quoteText } from "../../sql_text.ts";
import type { CatalogSql, Scope } from "../../workbench.ts";
import { ROUTINE_CATALOG } from "./routine_sql.ts";

/** Conditions on a relation `c` and its schema `n`. */
const inScope = ({ schema, name }: Scope) =>
  `n.nspname = ${schema === null ? "current_schema()" : quoteText(schema)}${
    name === undefined ? "" : ` AND c.relname = ${quoteText(name)}`
  }`;

const FROM_CLASS = "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace";

/** Relations of these kinds; a partition is part of its parent. */
const relations = (scope: Scope, kinds: string) => `
  SELECT c.relname, obj_description(c.oid, 'pg_class') ${FROM_CLASS}
  WHERE ${inScope(scope)} AND c.relkind IN (${kinds}) AND NOT c.relispartition ORDER BY c.relname`;

const action = (column: string) =>
  `CASE ${column} WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE'
    WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT' END`;

/** Hosts know times by their name without a precision. */
const TYPE = `CASE WHEN a.atttypid IN (1083, 1114, 1184, 1266) THEN format_type(a.atttypid, NULL)
  ELSE format_type(a.atttypid, a.atttypmod) END`;

/** Hosts offer the values of a type that reads so. */
const LISTED =
  `(SELECT 'enum(' || string_agg('''' || replace(e.enumlabel, '''', '''''') || '''', ',' ORDER BY e.enumsortorder) || ')'
  FROM pg_catalog.pg_enum e WHERE e.enumtypid = a.atttypid)`;

const DEFAULT = "pg_get_expr(d.adbin, d.adrelid)";

const COLUMNS = (scope: Scope) => `
  SELECT c.relname, a.attname, ${TYPE},
    EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)),
    NOT a.attnotnull, a.attidentity <> '' OR coalesce(${DEFAULT} LIKE 'nextval(%', false), a.attgenerated <> '', ${DEFAULT},
    CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN a.atttypmod - 4 END, col_description(c.oid, a.attnum),
    ${LISTED}
  ${FROM_CLASS} JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${inScope(scope)} AND c.relkind IN ('r', 'p', 'f', 'v', 'm') ORDER BY c.relname, a.attnum`;

const FOREIGN_KEYS = (scope: Scope) => `
  SELECT c.relname, k.conname, a.attname, f.relname, b.attname, ${action("k.confdeltype")}, ${
  action("k.confupdtype")
}
  ${FROM_CLASS} JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f'
    JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS pair (own, other, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = pair.own
    JOIN pg_catalog.pg_attribute b ON b.attrelid = f.oid AND b.attnum = pair.other
  WHERE ${inScope(scope)} AND NOT c.relispartition ORDER BY c.relname, k.conname, pair.place`;

const INDEXES = (scope: Scope) => `
  SELECT c.relname, x.relname, coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.place, true)), i.indisunique,
    i.indisprimary, k.place, a.attname IS NULL
  ${FROM_CLASS} JOIN pg_catalog.pg_index i ON i.indrelid = c.oid JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
    CROSS JOIN LATERAL generate_series(1, i.indnkeyatts::int) AS k (place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[k.place - 1] AND a.attnum > 0
  WHERE ${inScope(scope)} ORDER BY c.relname, x.relname, k.place`;

const named = (scope: Scope) => `${FROM_CLASS} WHERE ${inScope(scope)}`;
const FULL_NAME = "quote_ident(n.nspname) || '.' || quote_ident(c.relname)";

/** A column that numbers itself from a sequence of its own, which the word for it makes anew. */
const IS_SERIAL = `coalesce(${DEFAULT} LIKE 'nextval(%' AND a.atttypid IN (20, 21, 23) AND ${DEFAULT} =
  'nextval(' || quote_literal(pg_get_serial_sequence(t.name, a.attname)::regclass::text) || '::regclass)', false)`;

/** The table with its constraints, foreign keys at their end, then indexes, comments and partitions. */
const TABLE_DEFINITION = (scope: Scope) => `
  WITH t AS (SELECT c.oid, c.relkind, c.relpersistence, ${FULL_NAME} AS name ${
  named(scope)
} AND c.relkind IN ('r', 'p', 'f')),
  lines AS (
    SELECT 1 AS part, a.attnum::int AS place, quote_ident(a.attname) || ' ' ||
      CASE WHEN NOT ${IS_SERIAL} THEN format_type(a.atttypid, a.atttypmod)
        WHEN a.atttypid = 20 THEN 'bigserial' WHEN a.atttypid = 21 THEN 'smallserial' ELSE 'serial' END ||
      CASE WHEN a.attcollation <> y.typcollation THEN ' COLLATE ' || a.attcollation::regcollation::text ELSE '' END ||
      CASE WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || ${DEFAULT} || ') STORED'
        WHEN a.attgenerated = 'v' THEN ' GENERATED ALWAYS AS (' || ${DEFAULT} || ') VIRTUAL'
        WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY'
        WHEN a.attidentity = 'd' THEN ' GENERATED BY DEFAULT AS IDENTITY'
        WHEN d.adbin IS NOT NULL AND NOT ${IS_SERIAL} THEN ' DEFAULT ' || ${DEFAULT} ELSE '' END ||
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END AS text
    FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT CASE k.contype WHEN 'p' THEN 2 WHEN 'u' THEN 3 WHEN 'c' THEN 4 ELSE 5 END, 0,
      'CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
    FROM t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype IN ('p', 'u', 'c', 'f', 'x'))
  SELECT sql FROM (
    SELECT 1 AS part, '' AS place, 'CREATE ' || CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END || 'TABLE ' || name || E' (\\n' ||
      coalesce((SELECT string_agg('  ' || text, E',\\n' ORDER BY part, place, text) FROM lines) || E'\\n', '') || ')' ||
      CASE relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(oid) ELSE '' END AS sql FROM t
    UNION ALL
    SELECT 2, x.relname, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ' || t.name, ' ON ' || t.name) FROM t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
      JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
      WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = t.oid)
    UNION ALL
    SELECT 3, '', 'COMMENT ON TABLE ' || name || ' IS ' || quote_literal(obj_description(oid, 'pg_class')) FROM t
    UNION ALL
    SELECT 4, a.attname, 'COMMENT ON COLUMN ' || t.name || '.' || quote_ident(a.attname) || ' IS ' ||
      quote_literal(col_description(t.oid, a.attnum)) FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0
    UNION ALL
    SELECT 5, lpad(tree.level::text, 9, '0') || c.relname, 'CREATE TABLE ' || ${FULL_NAME} || ' PARTITION OF ' ||
      tree.parentrelid::regclass::text || ' ' || pg_get_expr(c.relpartbound, c.oid) ||
      CASE c.relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid) ELSE '' END
      FROM t CROSS JOIN LATERAL pg_partition_tree(t.oid) AS tree JOIN pg_catalog.pg_class c ON c.oid = tree.relid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE tree.level > 0 AND c.relkind IN ('r', 'p')
  ) AS parts WHERE sql IS NOT NULL ORDER BY part, place`;

export const CATALOG: CatalogSql = {
  databases: () =>
    "SELECT datname FROM pg_catalog.pg_database WHERE datallowconn AND NOT datistemplate ORDER BY datname",
  schemas: () =>
    `SELECT nspname FROM pg_catalog.pg_namespace
    WHERE nspname !~ '^pg_(toast|temp|catalog)' AND nspname <> 'information_schema' ORDER BY nspname`,
  tables: (scope) => relations(scope, "'r', 'p', 'f'"),
  columns: COLUMNS,
  foreignKeys: FOREIGN_KEYS,
  indexes: INDEXES,
  views: (scope) => relations(scope, "'v'"),
  viewDefinition: (scope) => `
    SELECT 'CREATE OR REPLACE VIEW ' || ${FULL_NAME} || E' AS\\n' || pg_get_viewdef(c.oid, true)
    ${named(scope)} AND c.relkind = 'v'`,
  materializedViews: (scope) => relations(scope, "'m'"),
  materializedViewDefinition: (scope) => `
    SELECT 'CREATE MATERIALIZED VIEW ' || ${FULL_NAME} || E' AS\\n' || pg_get_viewdef(c.oid, true)
    ${named(scope)} AND c.relkind = 'm'`,
  tableDefinition: TABLE_DEFINITION,
  ...ROUTINE_CATALOG,
};
