/**
 * A conversation as a Jupyter notebook (nbformat 4.5): Markdown cells, and a cell for each statement with its rows as output.
 */
import { type Json, toJson } from "../../base/json.ts";
import { entryMarkdown, tableMarkdown } from "../view/entry_markdown.ts";
import type { Entry, Outcome } from "../view/transcript.ts";
import { aboutLine, titleLine } from "./markdown.ts";
import type { ExportedThread } from "./document.ts";

export async function notebookOf({ about, entries }: ExportedThread): Promise<string> {
  const title = `${titleLine(about)}\n\n${aboutLine(about)}`;
  const cells: Json[] = [markdownCell(title, 0)];
  for (const [index, entry] of entries.entries()) {
    const cell = await cellOf(entry, index + 1);
    if (cell !== undefined) cells.push(cell);
  }
  const metadata = {
    kernelspec: { display_name: "SQL", language: "sql", name: "sql" },
    language_info: { name: "sql", file_extension: ".sql", mimetype: "text/x-sql" },
  };
  return `${toJson({ cells, metadata, nbformat: 4, nbformat_minor: 5 })}\n`;
}

async function cellOf(entry: Entry, number: number): Promise<Json | undefined> {
  if (entry.kind === "call") return undefined;
  if (entry.kind !== "statement") {
    return markdownCell((await entryMarkdown(entry)).join("\n").trimEnd(), number);
  }
  return {
    cell_type: "code",
    id: idOf(number),
    metadata: {},
    execution_count: null,
    source: entry.call.sql,
    outputs: [await outputOf(entry.outcome)],
  };
}

async function outputOf(outcome: Outcome): Promise<Json> {
  switch (outcome.kind) {
    case "error":
      return { output_type: "error", ename: "Error", evalue: outcome.text, traceback: [outcome.text] };
    case "changed":
      return {
        output_type: "stream",
        name: "stdout",
        text: `Rows changed: ${outcome.affected ?? "unknown"}\n`,
      };
    case "rows": {
      const table = (await tableMarkdown(outcome.rows)).join("\n");
      return {
        output_type: "display_data",
        metadata: {},
        data: { "text/markdown": table, "text/plain": table },
      };
    }
  }
}

function markdownCell(source: string, number: number): Json {
  return { cell_type: "markdown", id: idOf(number), metadata: {}, source };
}

function idOf(number: number): string {
  return `cell-${number}`;
}
