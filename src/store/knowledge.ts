/**
 * What people wrote down about their databases, in the program's own database: definitions, queries that work. Finding the
 * right one is knowledge_search.ts's.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

export interface KnowledgeEntry {
  readonly id: string;
  /** The name of the database that it is about. */
  readonly database: string;
  readonly name: string;
  readonly description: string;
  readonly sql: string | null;
  /** Where it comes from, in a person's words. */
  readonly source: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export class KnowledgeStore {
  readonly #db: DatabaseSync;

  /** `db` is one of saber_db.ts. */
  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The id of the new entry. */
  add({ database, name, description, sql, source }: Omit<KnowledgeEntry, "id" | "createdAt">): string {
    const id = crypto.randomUUID();
    this.#db.prepare("INSERT INTO knowledge VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(id, database, name, description, sql, source, Date.now());
    return id;
  }

  /** In the order in which they were added. */
  list(database: string): KnowledgeEntry[] {
    return this.#db.prepare("SELECT * FROM knowledge WHERE database = ? ORDER BY created_at, rowid").all(
      database,
    )
      .map(toEntry);
  }

  find(id: string): KnowledgeEntry | undefined {
    const row = this.#db.prepare("SELECT * FROM knowledge WHERE id = ?").get(id);
    return row && toEntry(row);
  }

  /** False when there is no such entry. */
  remove(id: string): boolean {
    return this.#db.prepare("DELETE FROM knowledge WHERE id = ?").run(id).changes > 0;
  }

  /** How many there were. */
  clear(database: string): number {
    return Number(this.#db.prepare("DELETE FROM knowledge WHERE database = ?").run(database).changes);
  }
}

function toEntry(row: Record<string, SQLOutputValue>): KnowledgeEntry {
  return {
    id: String(row.id),
    database: String(row.database),
    name: String(row.name),
    description: String(row.description),
    sql: row.sql === null ? null : String(row.sql),
    source: row.source === null ? null : String(row.source),
    createdAt: Number(row.created_at),
  };
}
