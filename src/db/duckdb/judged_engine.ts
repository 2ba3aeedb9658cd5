/**
 * What judge.ts asks of DuckDB, asked on a connection.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Functions } from "./functions.ts";
import type { RelationName } from "./tree.ts";

/** The engine, as far as judging needs it. */
export interface JudgedEngine {
  /** What `json_serialize_sql` says of the text. */
  parse(sql: string): Promise<string>;
  functions(): Promise<Functions>;
  /** Whether a table or view has this name; parts that are "" are not asked for. */
  hasRelation(relation: RelationName): Promise<boolean>;
}

const HAS_RELATION = `
  SELECT system.main.count() FROM (
    SELECT database_name, schema_name, table_name AS name FROM system.main.duckdb_tables()
    UNION ALL SELECT database_name, schema_name, view_name FROM system.main.duckdb_views())
  WHERE system.main.lower(name) = system.main.lower($name)
    AND ($schema = '' OR system.main.lower(schema_name) = system.main.lower($schema) OR ($catalog = '' AND system.main.lower(database_name) = system.main.lower($schema)))
    AND ($catalog = '' OR system.main.lower(database_name) = system.main.lower($catalog))`;

export function judgedEngine(
  connection: DuckDBConnection,
  functions: () => Promise<Functions>,
): JudgedEngine {
  const value = async (sql: string, bound: Record<string, string>) =>
    (await connection.runAndReadAll(sql, bound)).value(0, 0);
  return {
    functions,
    parse: async (sql) =>
      String(await value("SELECT system.main.json_serialize_sql(CAST($sql AS VARCHAR))", { sql })),
    hasRelation: async (relation) => await value(HAS_RELATION, { ...relation }) !== 0n,
  };
}
