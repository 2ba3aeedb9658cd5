/**
 * A conversation as a Markdown document.
 */
import { oneLine } from "../../term/plain_text.ts";
import { asText, entryMarkdown } from "../view/entry_markdown.ts";
import type { FoundThread } from "./find_thread.ts";

const MAX_TITLE = 200;

export async function markdownOf({ about, entries }: FoundThread): Promise<string> {
  const head = [titleLine(about), "", aboutLine(about), ""];
  const body = await Promise.all(entries.map(entryMarkdown));
  return `${[...head, ...body.flat()].join("\n").trimEnd()}\n`;
}

export function titleLine({ title }: FoundThread["about"]): string {
  return `# ${asText(oneLine(title.slice(0, MAX_TITLE)))}`;
}

/** Databases, model and day, as far as they are known. */
export function aboutLine({ databases, model, updatedAt, id }: FoundThread["about"]): string {
  const day = new Date(updatedAt).toISOString().slice(0, 10);
  return [...databases.map(oneLine), oneLine(model), day, id].filter((part) => part !== "").join(" · ");
}
