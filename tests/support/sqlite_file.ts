/**
 * A SQLite file of one test, in a folder of its own, and the engine opened on it.
 */
import { DatabaseSync } from "node:sqlite";
import type { Access, Database, DatabaseFile } from "../../src/db/driver.ts";
import { open } from "../../src/db/sqlite/sqlite.ts";

export interface SqliteFile extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  readonly target: DatabaseFile;
}

/** Makes a file by running SQL; disposing removes its folder. */
export async function makeFile(
  setup: string,
  { name = "test.db" }: { name?: string } = {},
): Promise<SqliteFile> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "saber-sqlite-" }));
  const path = `${folder}/${name}`;
  runSql(path, setup);
  return {
    folder,
    path,
    target: { engine: "sqlite", name: "test", path, excludeSchemas: [] },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Runs SQL on a file directly, past the engine. */
export function runSql(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

export interface OpenFile extends AsyncDisposable {
  readonly database: Database;
}

export function openFile(
  { target }: Pick<SqliteFile, "target">,
  options: { access?: Access; timeoutMs?: number; idleMs?: number } = {},
): OpenFile {
  const database = open(target, { access: "read", timeoutMs: 10_000, ...options });
  return { database, [Symbol.asyncDispose]: () => database.close() };
}
