/**
 * The values of a stored row as JSON texts, in the order of its columns. It reads what db/values.ts wrote: every column
 * is there, in order, and nothing stands between.
 */
import { quote } from "../base/json.ts";
import { endOfString } from "../base/json_parts.ts";

/** A function that splits rows of these columns. Throws for a row of others. */
export function rowSplitter(columns: readonly string[]): (row: string) => string[] {
  const keys = columns.map((name, index) => `${index === 0 ? "{" : ","}${quote(name)}:`);
  return (row) => {
    let at = 0;
    return keys.map((key) => {
      if (!row.startsWith(key, at)) throw new Error("a stored row is not as it was written");
      const start = at + key.length;
      at = endOfValue(row, start);
      return row.slice(start, at).trim();
    });
  };
}

/** A document may have blanks around it. */
function endOfValue(row: string, start: number): number {
  let at = afterBlanks(row, start);
  const first = row[at];
  if (first === '"') at = endOfString(row, at) + 1;
  else if (first === "{" || first === "[") at = endOfNested(row, at);
  else {
    const comma = row.indexOf(",", at);
    return comma < 0 ? row.length - 1 : comma;
  }
  return afterBlanks(row, at);
}

function afterBlanks(row: string, start: number): number {
  let at = start;
  while (row[at] === " ") at++;
  return at;
}

function endOfNested(row: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const mark = row[at];
    if (mark === '"') at = endOfString(row, at);
    else if (mark === "{" || mark === "[") depth++;
    else if (mark === "}" || mark === "]") depth--;
    at++;
  } while (depth > 0 && at < row.length);
  return at;
}
