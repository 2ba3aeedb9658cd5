/**
 * Rows of a stored result as a document: JSON lines, CSV or a Markdown table. Every value keeps all its digits.
 */
import { csvCell, csvLine } from "../../base/csv.ts";
import { membersOf, textOf } from "../../base/json_parts.ts";

const FORMATS = ["json", "csv", "md"] as const;
type Format = (typeof FORMATS)[number];

export function isTableFormat(format: string): format is Format {
  return FORMATS.some((each) => each === format);
}

/** `rows`: JSON objects as text. */
export function rowsAsText(
  rows: readonly string[],
  { format, columns }: { readonly format: Format; readonly columns: readonly string[] },
): string {
  if (format === "json") return rows.join("\n");
  const cells = rows.map((row) => membersOf(row).map(([, json]) => json));
  if (format === "csv") return [columns, ...cells.map((row) => row.map(csvCell))].map(csvLine).join("\n");
  const lines = [columns, columns.map(() => "---"), ...cells.map((row) => row.map(plain))];
  return lines.map((line) => `| ${line.map(inTable).join(" | ")} |`).join("\n");
}

function plain(json: string): string {
  return json === "null" ? "" : json.startsWith('"') ? textOf(json) : json;
}

function inTable(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\r?\n/g, "<br>");
}
