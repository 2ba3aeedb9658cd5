/**
 * What the views of a database run. DuckDB keeps the text of each view as it spells it itself.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { tokenize } from "../lexer.ts";
import { DUCKDB_DIALECT } from "./dialect.ts";

/** Qualified, since a macro of the database could stand before DuckDB's own. */
const QUERY = "SELECT view_name, sql FROM system.main.duckdb_views() WHERE NOT internal";

/** The SELECTs, by the names of the views in lower case. */
export async function readViews(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const views = new Map<string, string[]>();
  for (const [name, sql] of (await connection.runAndReadAll(QUERY)).getRows()) {
    const key = String(name).toLowerCase();
    views.set(key, [...views.get(key) ?? [], selectOf(String(sql))]);
  }
  return views;
}

/** What stands behind the first AS outside of quotes and brackets; "" without one. */
function selectOf(sql: string): string {
  let depth = 0;
  for (const { kind, text, end } of tokenize(sql, DUCKDB_DIALECT.lexis)) {
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (depth === 0 && kind === "word" && text === "AS") return sql.slice(end);
  }
  return "";
}
