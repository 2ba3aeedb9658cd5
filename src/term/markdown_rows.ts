/**
 * Rows as a table of GitHub's Markdown. NULL is an empty cell there; the other forms tell it from empty text.
 */
import { membersOf, textOf } from "../base/json_parts.ts";
import { oneLine } from "./plain_text.ts";
import type { RowLayout } from "./row_format.ts";

export async function* markdown(rows: AsyncIterable<string>, { columns }: RowLayout): AsyncGenerator<string> {
  if (columns.length === 0) return;
  yield lineOf(columns.map(escape));
  yield lineOf(columns.map(() => "---"));
  for await (const row of rows) yield lineOf(membersOf(row).map(([, cell]) => cellOf(cell)));
}

function cellOf(json: string): string {
  if (json === "null") return "";
  return escape(json.startsWith('"') ? textOf(json) : json);
}

/** Line ends become `<br>`; nothing else of the text means anything to Markdown. */
function escape(text: string): string {
  return text.split(/\r\n?|\n/).map((line) => oneLine(line).replace(/[\\`*_{}[\]<>|~&#]/g, "\\$&")).join(
    "<br>",
  );
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
