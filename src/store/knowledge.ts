/**
 * What people wrote down about their databases, in the program's own database: definitions, queries that work. Finding the
 * right one is knowledge_search.ts's.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { inTransaction } from "./saber_db.ts";

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
  async add(entry: Omit<KnowledgeEntry, "id" | "createdAt">): Promise<string> {
    const { database, name, description, sql, source } = entry;
    const id = crypto.randomUUID();
    const values = [id, database, name, description, sql, source, Date.now()];
    await this.#write("INSERT INTO knowledge VALUES (?, ?, ?, ?, ?, ?, ?)", values);
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
  async remove(id: string): Promise<boolean> {
    return await this.#write("DELETE FROM knowledge WHERE id = ?", [id]) > 0;
  }

  /** How many there were. */
  async clear(database: string): Promise<number> {
    return await this.#write("DELETE FROM knowledge WHERE database = ?", [database]);
  }

  /** How many rows it changed. */
  async #write(sql: string, values: readonly SQLInputValue[]): Promise<number> {
    const work = () => Number(this.#db.prepare(sql).run(...values).changes);
    return await inTransaction(this.#db, { work });
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
