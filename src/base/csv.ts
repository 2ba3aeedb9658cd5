/**
 * How values are written as CSV text (docs/values.md, column "CSV text"): one line of cells, LF between lines.
 * Which values a table has is its caller's business.
 */
import { textOf } from "./json_parts.ts";

/** A JSON value as the text of a cell. `\N` is null; in every other cell a backslash is two. */
export function csvCell(json: string): string {
  if (json === "null") return "\\N";
  return escapeCell(json.startsWith('"') ? textOf(json) : json);
}

/** Text that cannot be taken for a null. */
export function escapeCell(text: string): string {
  return text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
}

/** RFC 4180, section 2, but for the line ends, which are LF. A line of one empty cell would be no line. */
export function csvLine(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === "") return '""';
  return cells.map((cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(",");
}
