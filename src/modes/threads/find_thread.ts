/**
 * The saved thread that a command names, with what its results need.
 */
import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Shelf } from "../../store/shelf.ts";
import type { ExportedThread } from "../export/document.ts";
import { entriesOf } from "../view/transcript.ts";

export interface FoundThread extends ExportedThread {
  readonly shelf: Shelf;
}

/** Of ours, or of the Python program. Throws Fault `usage` without an id, `unavailable` when there is no such thread. */
export async function findThread(app: App, { maxRows }: { readonly maxRows: number }): Promise<FoundThread> {
  const [id] = app.given.words;
  if (id === undefined) throw new Fault("usage", "Which thread? 'saber threads list' shows their ids.");
  const found = await app.findThread(id);
  if (!found) {
    const shown = JSON.stringify(id.slice(0, 100));
    throw new Fault("unavailable", `There is no thread ${shown}. 'saber threads list' shows them.`);
  }
  const info = (await app.openThreads()).find(id);
  const [first] = found.messages;
  const about = info ?? {
    id,
    title: first?.role === "user" ? first.content : "",
    databases: found.selectors ?? [],
    model: found.model ?? "",
    updatedAt: found.messages.at(-1)?.timestamp ?? 0,
  };
  const shelf = await app.openShelf();
  shelf.adopt(found.messages);
  return { about, entries: await Array.fromAsync(entriesOf(found.messages, { shelf, maxRows })), shelf };
}
