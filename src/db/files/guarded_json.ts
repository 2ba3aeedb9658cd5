/**
 * The columns of a JSON file as DuckDB reads them, beside the text that they are read from: where a number was bent, the query
 * that reads its column fails.
 */
import { failAt } from "../duckdb/misfit.ts";
import { writtenMember } from "./cut_json.ts";
import { isExactJson, keepsNumbers } from "./exact_json.ts";
import { isExact, mayBend } from "./exact_value.ts";
import type { JsonTable } from "./json.ts";
import { lastPart } from "../paths.ts";
import { quoteName, quoteText } from "../sql_text.ts";

/** Doubles hold each integer up to this one. */
const MAX_SAFE = "9007199254740992";

/** `source`: a call that reads the table. */
export function guarded(source: string, { path, columns, isOfAll }: JsonTable): string {
  const file = lastPart(path);
  const values: string[] = [];
  const texts: string[] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const [value, text] = [quoteName(name), `saber_${index}`];
    const isOnly = columns.length === 1;
    const exact = isOnly
      ? "saber_exact"
      : `(saber_exact OR ${isExactJson(writtenMember("saber_json", pointerTo(name)))})`;
    const isKept = isKeptAs(type, { value, text, exact });
    const misfit = failAt("CAST(saber_json AS VARCHAR)", { name, type, file, isOfAll });
    texts.push(`CAST(${memberOf(name, isOnly)} AS VARCHAR) AS ${text}`);
    values.push(
      isKept === undefined
        ? value
        : `CASE WHEN ${value} IS NULL OR ${isKept} THEN ${value} ELSE ${misfit} END AS ${value}`,
    );
  }
  return `(SELECT ${values.join(", ")} FROM (
    SELECT source.*, text.json AS saber_json, ${isExactJson("text.json")} AS saber_exact, ${texts.join(", ")}
    FROM ${source} AS source POSITIONAL JOIN read_json_objects(${quoteText(path)}) AS text))`;
}

/** What DuckDB read: integers have all digits in it, fractions those that doubles have. */
function memberOf(name: string, isOnly: boolean): string {
  const member = `json_extract(text.json, ${pointerTo(name)})`;
  return isOnly && name === "json" ? `coalesce(${member}, text.json)` : member;
}

/** A pointer, unlike a path, may have any character. */
function pointerTo(name: string): string {
  return quoteText(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

/**
 * A condition on a column and its text; none for types that hold no numbers. `exact`: whether DuckDB's reader bends nothing of
 * the member.
 */
function isKeptAs(
  type: string,
  { value, text, exact }: { readonly value: string; readonly text: string; readonly exact: string },
): string | undefined {
  if (type === "DOUBLE") return `${exact} AND (abs(${value}) < ${MAX_SAFE} OR ${isExact(text, type)})`;
  if (mayBend(type)) return isExact(text, type);
  if (type === "JSON") return exact;
  if (type === "VARCHAR") {
    return `${exact} OR NOT regexp_full_match(${value}, '-?[0-9]+([.][0-9]+)?([eE].*)?')`;
  }
  return /DOUBLE|INT|JSON/.test(type) ? `${exact} AND ${keepsNumbers(value, text)}` : undefined;
}
