/**
 * Documents of the host that are JSON: laid out for reading, and, where they are a list of flat objects, as rows that can be
 * kept like those of a statement. No digit is lost.
 */
import { elementsOf, endOfString, membersOf, textOf } from "../../base/json_parts.ts";
import type { Cursor } from "../../db/driver.ts";
import { type Cell, Decimal } from "../../db/values.ts";

/** Deeper parts are laid out no further to the right. */
const MAX_INDENT = 20;

/** JSON text with a line for each member and element. */
export function laidOut(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  const line = () => parts.push("\n", "  ".repeat(Math.min(depth, MAX_INDENT)));
  for (let at = 0; at < json.length; at++) {
    const mark = json[at] ?? "";
    if (mark === '"') {
      const end = endOfString(json, at);
      parts.push(json.slice(at, end + 1));
      at = end;
    } else if (mark === "{" || mark === "[") {
      const [inner = ""] = /^\s*[}\]]/.exec(json.slice(at + 1, at + 1000)) ?? [];
      parts.push(mark, inner.trim());
      at += inner.length;
      if (inner === "") depth++, line();
    } else if (mark === "}" || mark === "]") {
      depth--, line();
      parts.push(mark);
    } else if (mark === ",") {
      parts.push(mark);
      line();
    } else if (/\S/.test(mark)) parts.push(mark === ":" ? ": " : mark);
  }
  return parts.join("");
}

/** A list of flat objects as rows, columns in the order of their first appearance; undefined for anything else. */
export function rowsOf(json: string): Cursor | undefined {
  if (!json.trimStart().startsWith("[")) return undefined;
  const elements = elementsOf(json);
  if (elements.length === 0 || !elements.every((element) => element.startsWith("{"))) return undefined;
  const records = elements.map(membersOf);
  if (records.some((record) => record.some(([, value]) => /^[[{]/.test(value)))) return undefined;
  const names = [...new Set(records.flatMap((record) => record.map(([name]) => name)))];
  if (names.length === 0) return undefined;
  const rows = records.map((record) => {
    const values = new Map(record);
    return names.map((name) => cellOf(values.get(name) ?? "null"));
  });
  return {
    columns: names.map((name) => ({ name, type: "" })),
    batches: (async function* () {
      yield await Promise.resolve(rows);
    })(),
    close: () => Promise.resolve(),
  };
}

function cellOf(json: string): Cell {
  if (json === "null") return null;
  if (json === "true" || json === "false") return json === "true";
  if (json.startsWith('"')) return textOf(json);
  const value = Number(json);
  return Number.isSafeInteger(value) && String(value) === json ? value : new Decimal(json);
}
