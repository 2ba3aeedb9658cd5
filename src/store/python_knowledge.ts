/**
 * Knowledge that was kept by the Python program of the same name (`knowledge.db` in the data folder). Its file is only read.
 */
import type { KnowledgeEntry } from "./knowledge.ts";

/** The entries about a database; none where there is no file. Throws for a file that cannot be read. */
export async function readPythonKnowledge(path: string, database: string): Promise<KnowledgeEntry[]> {
  if (!await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return [];
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db.prepare(
      "SELECT id, name, description, sql, source, created_at FROM knowledge WHERE database_name = ? ORDER BY created_at",
    ).all(database);
    return rows.map(({ id, name, description, sql, source, created_at }) => ({
      id: String(id),
      database,
      name: String(name ?? ""),
      description: String(description ?? ""),
      sql: sql === null ? null : String(sql),
      source: source === null ? null : String(source),
      createdAt: 1000 * Number(created_at ?? 0),
    }));
  } finally {
    db.close();
  }
}
