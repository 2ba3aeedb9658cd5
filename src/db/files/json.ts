/**
 * A file of JSON lines, or of a JSON array, as a call of `read_json`; or, where that would bend numbers, as what is cut out of
 * its text. What neither keeps fails the query that reads it.
 */
import type { DataFile } from "../driver.ts";
import { readRows } from "../duckdb/cells.ts";
import { cutOut, membersAsText } from "./cut_json.ts";
import { isExactJson } from "./exact_json.ts";
import { exactTypes, isDoubtful } from "./exact_types.ts";
import { guarded } from "./guarded_json.ts";
import { limitTo, sampleSize } from "./sample.ts";
import { quoteText } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** How many objects of a large file are looked at. */
const SAMPLE_OBJECTS = 20_000;

interface Column {
  readonly name: string;
  readonly type: string;
}

export interface JsonTable {
  readonly path: string;
  readonly columns: readonly Column[];
  /** The types were found by looking at all of the file. */
  readonly isOfAll: boolean;
}

/** Numbers keep their digits, or fail the query that reads them. */
export async function jsonSource(file: DataFile, reader: Reader): Promise<string> {
  const { path } = file;
  const objects = await sampleSize(file, SAMPLE_OBJECTS);
  const plain = `read_json(${quoteText(path)}, sample_size = ${objects})`;
  const described = await query(`DESCRIBE SELECT * FROM ${plain}`, reader);
  const columns = described.map(([name, type]) => ({ name: String(name), type: String(type) }));
  const canCut = !isOfScalars(columns) && columns.every(({ name }) => !/["\\]/.test(name));
  const doubtful = columns.filter(isDoubtful);
  const text = canCut
    ? membersAsText(path, doubtful.map(({ name }) => name))
    : readJson(path, doubtful.map(({ name }) => ({ name, type: "JSON" })));
  const raw = `(SELECT * FROM ${text}${limitTo(objects)})`;
  const exact = doubtful.length === 0
    ? new Map<string, string>()
    : await exactTypes(doubtful, { raw, reader });
  const typed = columns.map(({ name, type }) => ({ name, type: exact.get(name) ?? type }));
  const table = { path, columns: typed, isOfAll: objects < 0 };
  const hasFractions = doubtful.some(({ name, type }) =>
    type === "DOUBLE" && (exact.get(name) ?? "HUGEINT") !== "HUGEINT"
  );
  if (canCut && hasFractions) return cutOut(table);
  const source = exact.size === 0 ? plain : readJson(path, typed);
  return table.isOfAll && await isExact(table, reader) ? source : guarded(source, table);
}

async function query(sql: string, { connection, api }: Reader) {
  return await readRows(await connection.run(sql), api);
}

/** Whether no number of the file would be bent; columns of integers that stand in doubles are not looked at. */
async function isExact({ path, columns }: JsonTable, reader: Reader): Promise<boolean> {
  const mixes = columns.some(({ type }) => type !== "DOUBLE" && /\bDOUBLE\b/.test(type));
  const check = isExactJson("json") + (mixes ? " AND NOT regexp_matches(json, '[0-9]{16}')" : "");
  const [[isExact] = []] = await query(
    `SELECT bool_and(${check}) FROM read_json_objects(${quoteText(path)})`,
    reader,
  );
  return isExact !== false;
}

/** DuckDB's name for values that are no members of objects. */
function isOfScalars(columns: readonly Column[]): boolean {
  return columns.length === 1 && columns[0]?.name === "json";
}

function readJson(path: string, columns: readonly Column[]): string {
  const list = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(type)}`).join(", ");
  return `read_json(${quoteText(path)}, columns = {${list}})`;
}
