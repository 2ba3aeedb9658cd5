/**
 * An entry of a conversation as lines of a Markdown document.
 */
import { PLAIN } from "../../term/paint.ts";
import { lines, oneLine } from "../../term/plain_text.ts";
import { loadFormat } from "../../term/registry.ts";
import type { Entry, Outcome, ShownRows } from "./transcript.ts";

/** An empty line stands behind each entry. */
export async function entryMarkdown(entry: Entry): Promise<string[]> {
  switch (entry.kind) {
    case "question":
      return ["## Question", "", ...asText(entry.text).split("\n").map((line) => `> ${line}`), ""];
    case "answer":
      return [...lines(entry.text).split("\n"), ""];
    case "call":
      return [];
    case "statement":
      return [...sqlFence(entry.call.sql), ...await outcomeMarkdown(entry.outcome)];
  }
}

/** What a person typed is no HTML. */
export function asText(text: string): string {
  return lines(text).replaceAll("<", "\\<");
}

/** A fence that is longer than any in the statement. */
export function sqlFence(sql: string): string[] {
  const longest = Math.max(2, ...Array.from(sql.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}sql`, ...lines(sql).split("\n"), fence, ""];
}

export async function outcomeMarkdown(outcome: Outcome): Promise<string[]> {
  switch (outcome.kind) {
    case "error":
      return [`> ${oneLine(outcome.text)}`, ""];
    case "changed":
      return [`Rows changed: ${outcome.affected ?? "unknown"}.`, ""];
    case "rows":
      return [...await tableMarkdown(outcome.rows), ""];
  }
}

/** The rows, and what is to be said of them. */
export async function tableMarkdown({ columns, rows, note }: ShownRows): Promise<string[]> {
  const format = await loadFormat("markdown");
  const table = await Array.fromAsync(format(each(rows), { columns, width: undefined, paint: PLAIN }));
  return [...table, "", `${note}${note.endsWith(".") ? "" : "."}`];
}

async function* each(rows: readonly string[]): AsyncGenerator<string> {
  yield* rows;
}
