/**
 * A tool's answer as CSV text, for models that read tables better, or cheaper, that way: what is no table stays JSON.
 * It reads the JSON as text, so that every digit stays.
 *
 * The layout: one line of JSON with what else the answer says, an empty line, the table with its header. An answer with
 * several tables (introspect_schema) has a line of JSON, an empty line apart, before each. Empty tables stay JSON.
 */
import { csvCell, csvLine, escapeCell } from "../base/csv.ts";
import { elementsOf, membersOf } from "../base/json_parts.ts";
import { toJson } from "../base/json.ts";

type Member = readonly [name: string, json: string];

/** The answers' members that are tables: one row an element. */
const ROWS = ["results", "preview_rows", "databases", "tables"];
/** Repeats the header of the table. */
const HEADER = "columns";

/** `json`: a tool's answer. */
export function csvText(json: string): string {
  const members = membersOf(json);
  const rows = members.find(([name, value]) => ROWS.includes(name) && value !== "[]" && value !== "{}");
  if (!rows) return json;
  const [name, value] = rows;
  const others = members.filter((member) => member !== rows);
  if (value.startsWith("{")) return [objectOf(others), ...membersOf(value).map(describedTable)].join("\n\n");
  const rest = name === "results" || name === "preview_rows"
    ? others.filter(([other]) => other !== HEADER)
    : others;
  return `${objectOf(rest)}\n\n${table(elementsOf(value).map(membersOf))}`;
}

/** A table of the database: one row a column. */
function describedTable([name, json]: Member): string {
  const members = membersOf(json);
  const about = objectOf([["table", toJson(name)], ...members.filter(([member]) => member !== HEADER)]);
  const columns = membersOf(members.find(([member]) => member === HEADER)?.[1] ?? "{}");
  if (columns.length === 0) return about;
  return `${about}\n\n${
    table(columns.map(([column, detail]): Member[] => [["name", toJson(column)], ...membersOf(detail)]))
  }`;
}

function objectOf(members: readonly Member[]): string {
  return `{${members.map(([name, json]) => `${toJson(name)}:${json}`).join(",")}}`;
}

/** Header and rows; a member that a row lacks is null. */
function table(rows: readonly (readonly Member[])[]): string {
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const lines = rows.map((row) => {
    const cells = new Map(row);
    return csvLine(names.map((name) => csvCell(cells.get(name) ?? "null")));
  });
  return [csvLine(names.map(escapeCell)), ...lines].join("\n");
}
