/** Asks a shop file a question straight through its engine's library, for tests of the shop itself. */
import { DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

/** The rows of a query on a SQLite file, integers as bigint. Column names must differ. */
export function sqliteRows(path: string, sql: string): SQLOutputValue[][] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all().map((row) => Object.values(row));
  } finally {
    db.close();
  }
}

/** The rows of a query on a DuckDB file, or on files named in the query when `path` is `:memory:`. */
export async function duckdbRows(path: string, sql: string): Promise<DuckDBValue[][]> {
  const mode: Record<string, string> = path === ":memory:" ? {} : { access_mode: "READ_ONLY" };
  const instance = await DuckDBInstance.create(path, mode);
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
