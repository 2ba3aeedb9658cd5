/**
 * The functions that a statement may call: those of DuckDB's own catalogue that change nothing and reach nothing outside.
 * Which positions of a statement hold functions is judge.ts's.
 */
import type { DuckDBConnection } from "@duckdb/node-api";

/** Called volatile by the catalogue, but without any effect on the database: they differ from call to call, no more. */
const HARMLESS_VOLATILE = [
  "random",
  "setseed",
  "uuid",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
  "error",
  "stats",
  "current_query",
  "current_query_id",
  "current_connection_id",
  "current_transaction_id",
];
/** Called harmless by the catalogue: the first reads settings, the second binds SQL text that nobody has judged. */
const HARMFUL = ["current_setting", "json_serialize_plan"];

/** Table functions: the catalogue says nothing of their effects, so these alone are allowed. */
const TABLE_FUNCTIONS = [
  "range",
  "generate_series",
  "unnest",
  "repeat",
  "repeat_row",
  "json_each",
  "json_tree",
  "duckdb_columns",
  "duckdb_constraints",
  "duckdb_coordinate_systems",
  "duckdb_dependencies",
  "duckdb_functions",
  "duckdb_indexes",
  "duckdb_keywords",
  "duckdb_schemas",
  "duckdb_sequences",
  "duckdb_tables",
  "duckdb_types",
  "duckdb_views",
  "icu_calendar_names",
  "pg_timezone_names",
  "pragma_collations",
  "pragma_storage_info",
  "pragma_table_info",
  "pragma_version",
];

/** Views of DuckDB's own whose table function is not allowed, or that show settings and paths. */
export const CLOSED_VIEWS: ReadonlySet<string> = new Set([
  "duckdb_databases",
  "duckdb_logs",
  "pg_settings",
  "pragma_database_list",
]);

/** A macro is what its text does; `SELECT` stands before that of a scalar one. */
export interface Functions {
  readonly scalar: ReadonlySet<string>;
  readonly table: ReadonlySet<string>;
  /** Lower-case names; several definitions where it is overloaded or shadowed. */
  readonly macros: ReadonlyMap<string, readonly string[]>;
}

/** Reads the catalogue. Macros of the database shadow functions of DuckDB's. */
export async function readFunctions(connection: DuckDBConnection): Promise<Functions> {
  const reader = await connection.runAndReadAll(`
    SELECT DISTINCT lower(function_name),
      CASE function_type
        WHEN 'macro' THEN 'SELECT (' || macro_definition || ')'
        WHEN 'table_macro' THEN macro_definition
        WHEN 'scalar' THEN CASE WHEN stability = 'VOLATILE' THEN 'volatile' ELSE '' END
        ELSE ''
      END,
      function_type
    FROM duckdb_functions()
    WHERE function_type IN ('scalar', 'aggregate', 'macro', 'table_macro')`);
  const scalar = new Set<string>(["unnest"]);
  const macros = new Map<string, string[]>();
  for (const [name, text, kind] of reader.getRows()) {
    if (typeof name !== "string" || typeof text !== "string") continue;
    if (kind === "macro" || kind === "table_macro") macros.set(name, [...macros.get(name) ?? [], text]);
    else if (text !== "volatile" || HARMLESS_VOLATILE.includes(name)) scalar.add(name);
  }
  for (const name of HARMFUL) scalar.delete(name);
  return { scalar, macros, table: new Set(TABLE_FUNCTIONS) };
}
