/**
 * Results and artifacts stay as long as a session's file speaks of them: noted when they are made, and known again when a
 * session goes on.
 */
import type { Toolbox } from "../../agent/toolbox.ts";
import type { Cursor } from "../../db/driver.ts";
import type { KeepOptions, Kept } from "../../store/results.ts";
import type { Shelf } from "../../store/shelf.ts";
import type { ToolOutput } from "../../tools/tool.ts";
import { messageOf, type SessionTree } from "./session_tree.ts";

interface Keeping {
  readonly shelf: Shelf;
  /** The session of the moment. */
  tree(): SessionTree;
}

/** The same tools; what they keep belongs to the session. */
export function holdingResults(inner: Toolbox, { shelf, tree }: Keeping): Toolbox {
  return {
    specs: () => inner.specs(),
    call: async (...call: Parameters<Toolbox["call"]>) => {
      const output = await inner.call(...call);
      await hold(output, { shelf, tree });
      return output;
    },
  };
}

/** Keeps rows that come from no statement. Throws what keeping throws. */
export async function keepRows(
  cursor: Cursor,
  { shelf, tree, ...about }: Keeping & KeepOptions,
): Promise<Kept> {
  const kept = await shelf.keep(cursor, about);
  await hold(kept, { shelf, tree });
  return kept;
}

async function hold(
  { queryResult, artifacts = [] }: Pick<ToolOutput, "queryResult" | "artifacts">,
  { shelf, tree }: Keeping,
): Promise<void> {
  const { path } = tree();
  if (path === undefined) return;
  for (const { id } of [...queryResult ? [queryResult] : [], ...artifacts]) await shelf.hold(id, path);
}

/** Makes known what the session has kept; to be called when it is opened, or copied. */
export async function adoptResults(shelf: Shelf, tree: SessionTree): Promise<void> {
  if (tree.path === undefined) return;
  const details = tree.all.flatMap(messageOf).flatMap((message) =>
    message.role === "toolResult" && message.details !== undefined ? [message.details.text] : []
  );
  if (details.length > 0) await shelf.adoptFrom(details, tree.path);
}
