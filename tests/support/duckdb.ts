/**
 * DuckDB files made for one test, and statements run against an open database in one call.
 */
import { join } from "node:path";
import process from "node:process";
import { DuckDBInstance } from "@duckdb/node-api";
import { Fault } from "../../src/base/fault.ts";
import type { Column, Database, DatabaseFile } from "../../src/db/driver.ts";
import type { Row } from "../../src/db/values.ts";

/** A folder for one test, removed when it goes out of scope. */
export async function testFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "saber-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** A DuckDB file that the statements made. */
export async function duckdbFile(folder: string, statements: readonly string[]): Promise<DatabaseFile> {
  const path = join(folder, "test.duckdb");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    for (const sql of statements) await connection.run(sql);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return { engine: "duckdb", name: "test", path, excludeSchemas: [] };
}

export interface Answer {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly affected: number | undefined;
}

/** Everything a statement gives. */
export async function ask(
  database: Database,
  sql: string,
  signal = new AbortController().signal,
): Promise<Answer> {
  const cursor = await database.run({ sql, signal, caps: { unlimited: 1000, limited: 1000 } });
  const rows: Row[] = [];
  for await (const batch of cursor.batches) rows.push(...batch);
  return { columns: cursor.columns, rows, affected: cursor.affected };
}

/** The Fault that the work ends with; undefined where it succeeds. Anything else thrown is thrown on. */
export async function faultOf(work: () => Promise<unknown>): Promise<Fault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Processor time that this process has used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
