/**
 * The questions that the catalog asks of information_schema, one for each kind of thing. What the answers mean is
 * catalog.ts's.
 */

import { quoteText as text } from "./sql_text.ts";
import type { Call } from "./tree.ts";

/** Which tables are asked about. */
export interface Scope {
  /** The only database to look into; without one, all but the server's own. */
  readonly database?: string;
  /** Databases that are hidden. */
  readonly excluded: readonly string[];
  /** LIKE on `table` or `schema.table`; with a dot on both apart. */
  readonly pattern?: string;
}

const SYSTEM_DATABASES = ["information_schema", "performance_schema", "mysql", "sys"];

const TABLE_TYPES = ["BASE TABLE", "VIEW", "SYSTEM VERSIONED", "SYSTEM VIEW"];

function list(values: readonly string[]): string {
  return values.map(text).join(", ");
}

/** `schema`: the column that holds a table's database. */
function where({ database, excluded, pattern }: Scope, schema = "TABLE_SCHEMA"): string {
  const hidden = database === undefined ? [...SYSTEM_DATABASES, ...excluded] : excluded;
  const conditions = [
    ...database === undefined ? [] : [`${schema} = ${text(database)}`],
    ...hidden.length === 0 ? [] : [`${schema} NOT IN (${list(hidden)})`],
    ...pattern === undefined ? [] : [matches(pattern, schema)],
  ];
  return conditions.join(" AND ") || "TRUE";
}

function matches(pattern: string, schema: string): string {
  const dot = pattern.indexOf(".");
  if (dot < 0) {
    const like = `LIKE ${text(pattern)}`;
    return `(TABLE_NAME ${like} OR CONCAT(${schema}, '.', TABLE_NAME) ${like})`;
  }
  return `${schema} LIKE ${text(pattern.slice(0, dot))} AND TABLE_NAME LIKE ${text(pattern.slice(dot + 1))}`;
}

export function tablesSql(scope: Scope): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_COMMENT
    FROM information_schema.TABLES
    WHERE ${where(scope)} AND TABLE_TYPE IN (${list(TABLE_TYPES)})
    ORDER BY TABLE_SCHEMA, TABLE_NAME`;
}

/** What MariaDB must open each table for. */
export function openedTablesSql(scope: Scope): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, CREATE_OPTIONS
    FROM information_schema.TABLES
    WHERE ${where(scope)} AND TABLE_ROWS IS NOT NULL`;
}

/** MariaDB gives defaults as expressions; MySQL gives the text of a literal without its quotes. */
export function columnsSql(scope: Scope): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, EXTRA,
      GENERATION_EXPRESSION, COLUMN_COMMENT,
      CASE WHEN VERSION() LIKE '%MariaDB%' OR EXTRA LIKE '%DEFAULT_GENERATED%'
          OR COLUMN_DEFAULT LIKE 'CURRENT_TIMESTAMP%' OR NUMERIC_PRECISION IS NOT NULL
        THEN COLUMN_DEFAULT
        WHEN COLUMN_DEFAULT IS NOT NULL THEN QUOTE(COLUMN_DEFAULT) END AS DEFAULT_EXPRESSION
    FROM information_schema.COLUMNS
    WHERE ${where(scope)}
    ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
}

/** All columns of the view: only MySQL 8 knows EXPRESSION. */
export function indexesSql(scope: Scope): string {
  return `SELECT * FROM information_schema.STATISTICS
    WHERE ${where(scope)}
    ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;
}

export function foreignKeysSql(scope: Scope): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME,
      REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
    FROM information_schema.KEY_COLUMN_USAGE
    WHERE ${where(scope)} AND REFERENCED_TABLE_NAME IS NOT NULL
    ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;
}

/** MariaDB's JSON columns are LONGTEXT with such a check, which bears the column's name. */
export function jsonChecksSql(scope: Scope): string {
  return `SELECT CONSTRAINT_SCHEMA AS TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME AS COLUMN_NAME
    FROM information_schema.CHECK_CONSTRAINTS
    WHERE ${where(scope, "CONSTRAINT_SCHEMA")} AND CHECK_CLAUSE LIKE 'json_valid(%'`;
}

/** CALLED_SCHEMA: the database as it stands in the call, empty for the session's own. */
export function harmlessRoutinesSql(calls: readonly Call[]): string {
  const each = calls.map(({ schema, name }) =>
    `SELECT ${text(schema ?? "")} AS CALLED_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES
    WHERE ROUTINE_SCHEMA = ${schema === undefined ? "DATABASE()" : text(schema)} AND ROUTINE_NAME = ${
      text(name)
    }
      AND ROUTINE_TYPE = 'FUNCTION' AND IS_DETERMINISTIC = 'YES' AND SQL_DATA_ACCESS IN ('NO SQL', 'READS SQL DATA')`
  );
  return each.join(" UNION ");
}
