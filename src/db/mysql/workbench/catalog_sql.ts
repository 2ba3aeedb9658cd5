/**
 * MySQL's answers to the questions of workbench.ts. What the host calls a schema is a database here.
 */
import type { CatalogSql, Scope } from "../../workbench.ts";
import { qualified } from "../../standard_definitions.ts";
import { quoteName, quoteText } from "../sql_text.ts";

const schemaOf = ({ schema }: Scope) => schema === null ? "DATABASE()" : quoteText(schema);
const named = (scope: Scope, column: string) =>
  scope.name === undefined ? "" : ` AND ${column} = ${quoteText(scope.name)}`;
const nameOf = ({ schema, name = "" }: Scope) => qualified({ schema, table: name }, quoteName);

/** MariaDB keeps expressions, MySQL the value alone unless it says so. */
const DEFAULT =
  `IF(VERSION() LIKE '%MariaDB%' OR EXTRA LIKE '%DEFAULT_GENERATED%' OR COLUMN_DEFAULT LIKE 'CURRENT_TIMESTAMP%'
  OR NUMERIC_PRECISION IS NOT NULL OR DATA_TYPE = 'bit', COLUMN_DEFAULT, QUOTE(COLUMN_DEFAULT))`;

/**
 * Hosts know times by their name without a precision. MariaDB's JSON is a text with a check, and its own comments hide the
 * question for it from MySQL, which has no such column.
 */
const TYPE = `CASE WHEN DATA_TYPE IN ('datetime', 'timestamp', 'time') THEN DATA_TYPE
  WHEN DATA_TYPE = 'longtext' AND (FALSE /*M! OR EXISTS (SELECT 1 FROM information_schema.CHECK_CONSTRAINTS k WHERE k.CONSTRAINT_SCHEMA = c.TABLE_SCHEMA
    AND k.TABLE_NAME = c.TABLE_NAME AND k.CHECK_CLAUSE = CONCAT('json_valid(\`', c.COLUMN_NAME, '\`)')) */) THEN 'json'
  ELSE COLUMN_TYPE END`;

const tables = (scope: Scope, types: string) => `
  SELECT TABLE_NAME, NULLIF(TABLE_COMMENT, '') FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = ${schemaOf(scope)} AND TABLE_TYPE IN (${types}) ORDER BY TABLE_NAME`;

export const CATALOG: CatalogSql = {
  databases: () => `
    SELECT SCHEMA_NAME FROM information_schema.SCHEMATA
    WHERE SCHEMA_NAME NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys') ORDER BY SCHEMA_NAME`,
  tables: (scope) => tables(scope, "'BASE TABLE', 'SYSTEM VERSIONED'"),
  columns: (scope) => `
    SELECT TABLE_NAME, COLUMN_NAME, ${TYPE}, COLUMN_KEY = 'PRI',
      IS_NULLABLE = 'YES', EXTRA LIKE '%auto_increment%', COALESCE(GENERATION_EXPRESSION, '') <> '', ${DEFAULT},
      CHARACTER_MAXIMUM_LENGTH, NULLIF(COLUMN_COMMENT, '')
    FROM information_schema.COLUMNS c WHERE TABLE_SCHEMA = ${schemaOf(scope)}${named(scope, "TABLE_NAME")}
    ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  foreignKeys: (scope) => `
    SELECT k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME, r.DELETE_RULE, r.UPDATE_RULE
    FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.REFERENTIAL_CONSTRAINTS r
      ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND r.TABLE_NAME = k.TABLE_NAME
    WHERE k.TABLE_SCHEMA = ${schemaOf(scope)} AND k.REFERENCED_TABLE_NAME IS NOT NULL${
    named(scope, "k.TABLE_NAME")
  }
    ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`,
  indexes: (scope) => `
    SELECT TABLE_NAME, INDEX_NAME, COALESCE(COLUMN_NAME, ''), NON_UNIQUE = 0, INDEX_NAME = 'PRIMARY', SEQ_IN_INDEX, COLUMN_NAME IS NULL
    FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ${schemaOf(scope)}${named(scope, "TABLE_NAME")}
    ORDER BY TABLE_NAME, INDEX_NAME = 'PRIMARY' DESC, INDEX_NAME, SEQ_IN_INDEX`,
  views: (scope) => tables(scope, "'VIEW'"),
  viewDefinition: (scope) => `SHOW CREATE VIEW ${nameOf(scope)}`,
  routines: (scope) => `
    SELECT ROUTINE_NAME, ROUTINE_TYPE FROM information_schema.ROUTINES
    WHERE ROUTINE_SCHEMA = ${
    schemaOf(scope)
  } AND ROUTINE_TYPE IN ('FUNCTION', 'PROCEDURE') ORDER BY ROUTINE_NAME, ROUTINE_TYPE`,
  routineParameters: (scope) => `
    SELECT COALESCE(PARAMETER_NAME, ''), DTD_IDENTIFIER, IF(ORDINAL_POSITION = 0, 'OUT', COALESCE(PARAMETER_MODE, 'IN')), ORDINAL_POSITION
    FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = ${schemaOf(scope)}${
    named(scope, "SPECIFIC_NAME")
  }
    ORDER BY ORDINAL_POSITION`,
  routineDefinition: (scope) =>
    `SHOW CREATE ${scope.kind.toUpperCase() === "PROCEDURE" ? "PROCEDURE" : "FUNCTION"} ${nameOf(scope)}`,
  triggers: (scope) => `
    SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE, EVENT_MANIPULATION, ACTION_TIMING FROM information_schema.TRIGGERS
    WHERE TRIGGER_SCHEMA = ${schemaOf(scope)} ORDER BY TRIGGER_NAME`,
  triggerDefinition: (scope) => `SHOW CREATE TRIGGER ${nameOf(scope)}`,
  tableDefinition: (scope) => `SHOW CREATE TABLE ${nameOf(scope)}`,
};
