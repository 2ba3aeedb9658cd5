/**
 * The view that a data file becomes.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DataFile } from "../driver.ts";
import type { DuckDb } from "../duckdb/library.ts";
import { csvSource } from "./csv.ts";
import { jsonSource } from "./json.ts";
import { quoteName, quoteText } from "../sql_text.ts";

/** A connection that may still read files. */
export interface Reader {
  readonly connection: DuckDBConnection;
  readonly api: DuckDb;
}

/** Throws what DuckDB throws, and Fault `bad_target` for an encoding that it lacks. */
export async function createView(file: DataFile, reader: Reader): Promise<void> {
  const source = await sourceOf(file, reader);
  await reader.connection.run(`CREATE VIEW main.${quoteName(file.table)} AS SELECT * FROM ${source}`);
}

async function sourceOf(file: DataFile, reader: Reader): Promise<string> {
  switch (file.format) {
    case "csv":
      return await csvSource(file, reader);
    case "json":
      return await jsonSource(file, reader);
    case "parquet":
      return `read_parquet(${quoteText(file.path)})`;
  }
}
