/**
 * The columns of a JSON file, cut out of its text: numbers with a fraction or an exponent are made strings before DuckDB,
 * which makes doubles of them before it asks for their type, sees them.
 */
import { failAt } from "../duckdb/misfit.ts";
import { isExactJson, keepsNumbers } from "./exact_json.ts";
import { exactValue, mayBend } from "./exact_value.ts";
import type { JsonTable } from "./json.ts";
import { lastPart } from "../paths.ts";
import { quoteName, quoteText } from "../sql_text.ts";

const FRACTION = "-?[0-9]+(?:[.][0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)";
/** Begins the strings that were numbers; of the private use area, so that no text has it there. */
const MARK = "\ue000";
/**
 * What stands before the next number with a fraction, strings and all, and that number; in the end, what is left and nothing.
 * Whatever is matched begins outside of strings, since the text before was matched up to there.
 */
const NEXT_FRACTION = String.raw`((?:"(?:[^"\\]|\\.)*"|[^"])*?)(${FRACTION}|$)`;

/** Names have neither quotes nor backslashes. */
export function membersAsText(path: string, names: readonly string[]): string {
  return `(SELECT ${names.map((name) => `${textOf(name)} AS ${quoteName(name)}`)} FROM ${marked(path)})`;
}

export function cutOut({ path, columns, isOfAll }: JsonTable): string {
  const file = lastPart(path);
  const list = columns.map(({ name, type }) => {
    const column = { name, type, file, isOfAll };
    const [text, json] = [textOf(name), jsonOf(name)];
    if (type === "VARCHAR") return `${text} AS ${quoteName(name)}`;
    if (mayBend(type)) return `${exactValue(text, column)} AS ${quoteName(name)}`;
    const value = `CAST(${json} AS ${type})`;
    if (type === "JSON" || !/DOUBLE|INT|JSON/.test(type)) return `${value} AS ${quoteName(name)}`;
    const keeps = `${isExactJson(json)} AND ${keepsNumbers(value, json)}`;
    return `CASE WHEN ${keeps} THEN ${value} ELSE ${failAt(text, column)} END AS ${quoteName(name)}`;
  });
  return `(SELECT ${list.join(", ")} FROM ${marked(path)})`;
}

function memberOf(name: string): string {
  return quoteText(`$."${name}"`);
}

/** The member's text, a string's without its quotes. */
function textOf(name: string): string {
  return `regexp_replace(object ->> ${memberOf(name)}, '^${MARK}(${FRACTION})$', '\\1')`;
}

/** The member as it was written. */
function jsonOf(name: string): string {
  return unmarked(`object -> ${memberOf(name)}`);
}

/** The same of an object that is JSON as it was written; `path` is a text that leads to the member. */
export function writtenMember(object: string, path: string): string {
  return unmarked(`json_extract(${withMarks(`CAST(${object} AS VARCHAR)`)}, ${path})`);
}

function unmarked(json: string): string {
  return `CAST(regexp_replace(CAST(${json} AS VARCHAR), '"${MARK}(${FRACTION})"', '\\1', 'g') AS JSON)`;
}

/** A relation of objects whose fractions are strings. */
function marked(path: string): string {
  return `(SELECT ${withMarks("json")} AS object FROM read_json_objects(${quoteText(path)}))`;
}

function withMarks(json: string): string {
  // the last match is empty, and leaves two quotes and the mark
  return `left(regexp_replace(${json}, ${quoteText(NEXT_FRACTION)}, '\\1"${MARK}\\2"', 'gs'), -3)`;
}
