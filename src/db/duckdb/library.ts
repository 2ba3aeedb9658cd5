/**
 * Where DuckDB's library is loaded, at the first use: importing it costs more than everything else a start does.
 */

export type DuckDb = typeof import("@duckdb/node-api");

/** The library. Importing it opens its native part too, which a compiled program must have loaded before. */
export async function loadDuckDb(): Promise<DuckDb> {
  return await import("@duckdb/node-api");
}
