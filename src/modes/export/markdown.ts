/**
 * A conversation as a Markdown document.
 */
import { oneLine } from "../../term/plain_text.ts";
import { asText, entryMarkdown } from "../view/entry_markdown.ts";
import type { ExportedThread } from "./document.ts";

const MAX_TITLE = 200;

export async function markdownOf({ about, entries }: ExportedThread): Promise<string> {
  const head = [titleLine(about), "", aboutLine(about), ""];
  const body = await Promise.all(entries.map(entryMarkdown));
  return `${[...head, ...body.flat()].join("\n").trimEnd()}\n`;
}

export function titleLine({ title }: ExportedThread["about"]): string {
  return `# ${asText(oneLine(title.slice(0, MAX_TITLE)))}`;
}

/** Databases, model and day, as far as they are known. */
export function aboutLine({ databases, model, updatedAt, id }: ExportedThread["about"]): string {
  const day = new Date(updatedAt).toISOString().slice(0, 10);
  return [...databases.map(oneLine), oneLine(model), day, id].filter((part) => part !== "").join(" · ");
}
