/**
 * A file of JSON lines, or of a JSON array, as a call of `read_json`; or as what is cut out of its text, where that would bend
 * numbers.
 */
import type { DataFile } from "../driver.ts";
import { readRows } from "../duckdb/cells.ts";
import { exactTypes } from "./exact_types.ts";
import { quoteName, quoteText } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** How many objects are looked at for numbers that a double would bend. */
const SAMPLE_OBJECTS = 20_000;

/**
 * What stands before the next number with a fraction, strings and all, and that number; in the end, what is left and nothing.
 * Whatever is matched begins outside of strings, since the text before was matched up to there.
 */
const NEXT_FRACTION = String.raw`((?:"(?:[^"\\]|\\.)*"|[^"])*?)(-?[0-9]+[.][0-9]+(?:[eE][+-]?[0-9]+)?|$)`;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Numbers keep their digits; those with a fraction within lists and objects are doubles, as JSON readers take them. */
export async function jsonSource({ path }: DataFile, reader: Reader): Promise<string> {
  const { connection, api } = reader;
  const plain = `read_json(${quoteText(path)})`;
  const described = await readRows(await connection.run(`DESCRIBE SELECT * FROM ${plain}`), api);
  const columns = described.map(([name, type]) => ({ name: String(name), type: String(type) }));
  const doubtful = columns.filter(({ type }) => type === "DOUBLE");
  if (doubtful.length === 0) return plain;
  const canCut = !isOfScalars(columns) &&
    columns.every(({ name, type }) => !/["\\]/.test(name) && !/\bJSON\b/.test(type));
  const asText = doubtful.map(({ name }) => ({ name, type: canCut ? "VARCHAR" : "JSON" }));
  const sample = canCut ? cutOut(path, asText) : readJson(path, asText);
  const raw = `(SELECT * FROM ${sample} LIMIT ${SAMPLE_OBJECTS})`;
  const exact = await exactTypes(doubtful.map(({ name }) => name), { raw, reader });
  if (exact.size === 0) return plain;
  const typed = columns.map(({ name, type }) => ({ name, type: exact.get(name) ?? type }));
  const hasFractions = [...exact.values()].some((type) => type !== "HUGEINT");
  return hasFractions && canCut ? cutOut(path, typed) : readJson(path, typed);
}

/** DuckDB's name for values that are no members of objects. */
function isOfScalars(columns: readonly Column[]): boolean {
  return columns.length === 1 && columns[0]?.name === "json";
}

function readJson(path: string, columns: readonly Column[]): string {
  const list = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(type)}`).join(", ");
  return `read_json(${quoteText(path)}, columns = {${list}})`;
}

/** DuckDB makes doubles of fractions before it asks for their type; as strings they stay what they are. */
function cutOut(path: string, columns: readonly Column[]): string {
  const list = columns.map(({ name, type }) => {
    const member = quoteText(`$."${name}"`);
    const value = type === "VARCHAR" ? `object ->> ${member}` : `CAST(object -> ${member} AS ${type})`;
    return `${value} AS ${quoteName(name)}`;
  });
  const quoted = `regexp_replace(json, ${quoteText(NEXT_FRACTION)}, '\\1"\\2"', 'gs')`;
  // the last match is empty, and leaves two quotes
  return `(SELECT ${list.join(", ")} FROM (SELECT left(${quoted}, -2) AS object FROM read_json_objects(${
    quoteText(path)
  })))`;
}
