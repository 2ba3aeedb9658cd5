/**
 * Which databases a session was held on: written down before a run, so that a session that goes on elsewhere says so to the
 * person and to the model. Names and kinds only, no addresses.
 */
import type { OpenDatabases } from "../../app.ts";
import type { Desk } from "./desk.ts";
import type { SessionTree } from "./session_tree.ts";

/** `shop (SQLite)` */
function namesOf({ list }: OpenDatabases): string[] {
  return list.map(({ name, displayName }) => `${name} (${displayName})`);
}

/** To be called before a run begins. */
export function noteDatabases(tree: SessionTree, databases: OpenDatabases): void {
  const names = namesOf(databases);
  const before = tree.databases;
  if (before !== undefined && isSame(before, names)) return;
  tree.append({ type: "custom", customType: "databases", data: { names } });
  if (before === undefined) return;
  const text =
    `What came before was about ${before.join(", ")}; from here on the databases are ${names.join(", ")}. ` +
    "Look at their schemas before you use what you know.";
  const content = [{ type: "text", text }] as const;
  tree.append({
    type: "message",
    message: {
      role: "custom",
      customType: "databases",
      content: [...content],
      display: true,
      timestamp: Date.now(),
    },
  });
}

/** To be called when a session was opened: tells the person where it was held on others. */
export async function tellOfOtherDatabases({ conversation, databases }: Desk): Promise<void> {
  const names = namesOf(databases);
  const before = conversation.tree.databases;
  if (before === undefined || isSame(before, names)) return;
  const message = `This session was held on ${before.join(", ")}; it goes on with ${names.join(", ")}.`;
  await conversation.emit("notice", { level: "warning", message });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
