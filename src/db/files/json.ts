/**
 * A file of JSON lines, or of a JSON array, as a call of `read_json`.
 */
import type { DataFile } from "../driver.ts";
import { readRows } from "../duckdb/cells.ts";
import { exactTypes } from "./exact_types.ts";
import { quoteText } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** How many objects are looked at for numbers that a double would bend. */
const SAMPLE_OBJECTS = 20_000;

/** Numbers with a fraction are doubles, as JSON readers take them; integers keep their digits. */
export async function jsonSource({ path }: DataFile, reader: Reader): Promise<string> {
  const { connection, api } = reader;
  const plain = `read_json(${quoteText(path)})`;
  const columns = (await readRows(await connection.run(`DESCRIBE SELECT * FROM ${plain}`), api)).map((
    [name, type],
  ) => ({
    name: String(name),
    type: String(type),
  }));
  const spelled = (typeOf: (column: { name: string; type: string }) => string) => {
    const list = columns.map((column) => `${quoteText(column.name)}: ${quoteText(typeOf(column))}`).join(
      ", ",
    );
    return `read_json(${quoteText(path)}, columns = {${list}})`;
  };
  const doubtful = columns.filter(({ type }) => type === "DOUBLE").map(({ name }) => name);
  const raw = `(SELECT * FROM ${spelled(() => "JSON")} LIMIT ${SAMPLE_OBJECTS})`;
  const exact = await exactTypes(doubtful, { raw, reader });
  return exact.size === 0 ? plain : spelled(({ name, type }) => exact.get(name) ?? type);
}
