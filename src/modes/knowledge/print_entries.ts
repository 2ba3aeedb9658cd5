/**
 * Entries as a table, or as JSON for programs.
 */
import type { App, Io } from "../../app.ts";
import type { KnowledgeEntry } from "../../store/knowledge.ts";
import { printJson, printLines, printTable } from "../print.ts";

export async function printEntries(
  app: App,
  { io, entries, none }: { io: Io; entries: readonly KnowledgeEntry[]; none: string },
): Promise<void> {
  if (app.given.flags.json) {
    await printJson(
      io,
      entries.map(({ createdAt, ...entry }) => ({ ...entry, created_at: toIso(createdAt) })),
    );
  } else if (entries.length === 0) await printLines(io, [none]);
  else {
    const rows = entries.map(({ id, name, description, sql }) => ({
      id,
      name,
      description,
      sql: sql === null ? "" : "yes",
    }));
    await printTable(app, { io, columns: ["id", "name", "description", "sql"], rows });
  }
}

export function toIso(time: number): string {
  return new Date(time).toISOString();
}
