/**
 * Rows as CSV with a header (docs/values.md, "CSV text").
 */
import { csvCell, csvLine, escapeCell } from "../base/csv.ts";
import { membersOf } from "../base/json_parts.ts";
import type { RowLayout } from "./row_format.ts";

export async function* csv(rows: AsyncIterable<string>, { columns }: RowLayout): AsyncGenerator<string> {
  if (columns.length > 0) yield csvLine(columns.map(escapeCell));
  for await (const row of rows) yield csvLine(membersOf(row).map(([, cell]) => csvCell(cell)));
}
