/**
 * The entry that a command names by its id.
 */
import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { KnowledgeEntry } from "../../store/knowledge.ts";
import { knownDatabase } from "./known_database.ts";

/** Of saber's own, else the Python program's about the chosen database. Throws Fault: usage, unavailable. */
export async function entryOf(app: App): Promise<KnowledgeEntry> {
  const [id] = app.given.words;
  if (id === undefined) throw new Fault("usage", "Which entry? 'saber knowledge list' shows their ids.");
  const base = await app.openKnowledge();
  const found = (await base.store()).find(id) ??
    (await base.entries(await knownDatabase(app))).find((entry) => entry.id === id);
  if (found) return found;
  throw new Fault(
    "unavailable",
    `There is no entry ${JSON.stringify(id.slice(0, 100))}. 'saber knowledge list' shows them.`,
  );
}
