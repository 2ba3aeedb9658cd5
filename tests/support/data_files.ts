/**
 * Data files made for one test.
 */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { DataFile, DataFiles } from "../../src/db/driver.ts";
import { nameParts } from "../../src/db/paths.ts";

/** The target of files that exist; each is the table of its stem. */
export function filesTarget(
  paths: readonly string[],
  options: Partial<Omit<DataFile, "path" | "table">> = {},
): DataFiles {
  const files = paths.map((path): DataFile => {
    const { stem, extension } = nameParts(path);
    const format = extension === "parquet"
      ? "parquet"
      : /^(?:json|jsonl|ndjson)$/.test(extension)
      ? "json"
      : "csv";
    return { path, table: stem, format, ...options };
  });
  return { engine: "files", name: "files", excludeSchemas: [], files };
}

/** Writes each table and view that the statements made into a CSV or Parquet file of its name. */
export async function exportTables(
  folder: string,
  { setup, format }: { readonly setup: readonly string[]; readonly format: "csv" | "parquet" },
): Promise<string[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    for (const sql of setup) await connection.run(sql);
    const names = await connection.runAndReadAll(
      "SELECT table_name FROM information_schema.tables ORDER BY table_name",
    );
    const paths: string[] = [];
    for (const [name] of names.getRows()) {
      const path = join(folder, `${name}.${format}`);
      await connection.run(`COPY "${name}" TO '${path}' (FORMAT ${format})`);
      paths.push(path);
    }
    return paths;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
