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

/** What means something to Markdown, where it does: `a_b` and `a & b` do not. */
const MARKS = /[\\`*[\]<|~]|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])|&(?=#?\w+;)/gu;

/** Line ends become `<br>`. */
function escape(text: string): string {
  return text.split(/\r\n?|\n/).map((line) => oneLine(line).replace(MARKS, "\\$&")).join(
    "<br>",
  );
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
