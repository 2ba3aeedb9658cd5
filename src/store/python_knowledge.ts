/**
 * Knowledge that was kept by the Python program of the same name (`knowledge.db` in the data folder). Its file is only read.
 */
import type { KnowledgeEntry } from "./knowledge.ts";
import { readPythonDb } from "./python_db.ts";

const SQL =
  "SELECT id, name, description, sql, source, created_at FROM knowledge WHERE database_name = ? ORDER BY created_at";

/** The entries about a database; none where there is no file. Throws for a file that cannot be read. */
export async function readPythonKnowledge(path: string, database: string): Promise<KnowledgeEntry[]> {
  const rows = await readPythonDb(path, (db) => db.prepare(SQL).all(database)) ?? [];
  return rows.map(({ id, name, description, sql, source, created_at }) => ({
    id: String(id),
    database,
    name: String(name ?? ""),
    description: String(description ?? ""),
    sql: sql === null ? null : String(sql),
    source: source === null ? null : String(source),
    createdAt: 1000 * Number(created_at ?? 0),
  }));
}
