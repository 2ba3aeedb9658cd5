/**
 * The functions that a statement may call: those of DuckDB's own catalogue that change nothing and reach nothing outside;
 * and what macros and views run. Which positions of a statement hold functions is judge.ts's.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { readViews } from "./views.ts";

/** Called volatile by the catalogue, but without any effect on the database: they differ from call to call, no more. */
const HARMLESS_VOLATILE = new Set([
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
]);
/** Called harmless by the catalogue: the first reads settings, the second binds SQL text that nobody has judged. */
const HARMFUL = new Set(["current_setting", "json_serialize_plan"]);

/** Table functions: the catalogue says nothing of their effects, so these alone are allowed. */
const TABLE_FUNCTIONS = new Set([
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
]);

/** Views of DuckDB's own whose table function is not allowed, or that show settings and paths. */
export const CLOSED_VIEWS: ReadonlySet<string> = new Set([
  "duckdb_databases",
  "duckdb_logs",
  "pg_settings",
  "pragma_database_list",
]);

/** Names are in lower case. */
export interface FunctionKind {
  /** DuckDB's own, and whether they may be called. */
  readonly own: ReadonlyMap<string, boolean>;
  /** What each macro runs: several SELECTs where it is overloaded or stands before another. */
  readonly macros: ReadonlyMap<string, readonly string[]>;
}

export interface Functions {
  /** With aggregates and window functions. */
  readonly scalar: FunctionKind;
  readonly table: FunctionKind;
  /** What the views of the database run, by their names in lower case; several where schemas have one of a name. */
  readonly views: ReadonlyMap<string, readonly string[]>;
}

/** Every name is qualified, here and in all our queries: a macro of the database could stand before one that is not. */
const QUERY = `
  SELECT DISTINCT function_name, function_type, stability, macro_definition
  FROM system.main.duckdb_functions()
  WHERE function_type IN ('scalar', 'aggregate', 'table', 'macro', 'table_macro')`;

/** Reads the catalogue. Views of the program's own making are not looked into. */
export async function readFunctions(
  connection: DuckDBConnection,
  { ownViews }: { readonly ownViews: boolean },
): Promise<Functions> {
  const kind = () => ({ own: new Map<string, boolean>(), macros: new Map<string, string[]>() });
  const [scalar, table] = [kind(), kind()];
  for (const [name, type, stability, definition] of (await connection.runAndReadAll(QUERY)).getRows()) {
    if (typeof name !== "string") continue;
    const key = name.toLowerCase();
    const { own, macros } = type === "table" || type === "table_macro" ? table : scalar;
    if (typeof definition === "string") {
      const text = type === "macro" ? `SELECT (${definition})` : definition;
      macros.set(key, [...macros.get(key) ?? [], text]);
    } else if (type === "table") own.set(key, TABLE_FUNCTIONS.has(key));
    else own.set(key, !HARMFUL.has(key) && (stability !== "VOLATILE" || HARMLESS_VOLATILE.has(key)));
  }
  scalar.own.set("unnest", true);
  return { scalar, table, views: ownViews ? new Map() : await readViews(connection) };
}
