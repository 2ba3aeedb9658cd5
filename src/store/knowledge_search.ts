/**
 * Finds entries by words, with SQLite's full-text search over names, descriptions and SQL. The index is made for each search:
 * people write down tens or hundreds of entries, which takes milliseconds.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { KnowledgeEntry } from "./knowledge.ts";

/** Entries that are looked through; the latest ones when there are more. */
const MAX_ENTRIES = 10_000;
/** UTF-16 units of a question. */
const MAX_QUERY = 2000;

/** The best first, of equals the newest. A question may be plain words, or in the language of FTS5. */
export async function searchKnowledge(
  entries: readonly KnowledgeEntry[],
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<KnowledgeEntry[]> {
  const words = query.slice(0, MAX_QUERY).split(/\s+/).filter((word) => word !== "");
  if (words.length === 0 || entries.length === 0) return [];
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(":memory:");
  try {
    fill(db, entries.slice(-MAX_ENTRIES));
    const plain = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
    const isLanguage = / (?:OR|AND|NOT|NEAR) |["()]/.test(query);
    const first = ask(db, { match: isLanguage ? query.slice(0, MAX_QUERY) : words.join(" OR "), limit });
    const found = first.length > 0 ? first : ask(db, { match: plain, limit });
    return found.flatMap(({ n }) => entries.slice(-MAX_ENTRIES)[Number(n)] ?? []);
  } finally {
    db.close();
  }
}

function fill(db: DatabaseSync, entries: readonly KnowledgeEntry[]): void {
  db.exec("CREATE VIRTUAL TABLE entries USING fts5 (name, description, sql, n UNINDEXED, created UNINDEXED)");
  const insert = db.prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?)");
  for (const [n, { name, description, sql, createdAt }] of entries.entries()) {
    insert.run(name, description, sql ?? "", n, createdAt);
  }
}

/** Nothing for what FTS5 does not understand, such as `c#` or `month-over-month`. */
function ask(
  db: DatabaseSync,
  { match, limit }: { readonly match: string; readonly limit: number },
): Record<string, SQLOutputValue>[] {
  try {
    return db.prepare(
      "SELECT n FROM entries WHERE entries MATCH ? ORDER BY bm25(entries), created DESC LIMIT ?",
    )
      .all(match, limit);
  } catch {
    return [];
  }
}
