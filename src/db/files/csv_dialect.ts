/**
 * What DuckDB finds out about a CSV file from its first lines: how it is divided, and its columns.
 */
import { Fault } from "../../base/fault.ts";
import type { DataFile } from "../driver.ts";
import { readRows } from "../duckdb/cells.ts";
import { type Cell, Struct } from "../values.ts";
import { quoteText } from "../sql_text.ts";
import type { Reader } from "./view.ts";
import { lastPart } from "../paths.ts";

/** Options of `read_csv` and `sniff_csv`, as they stand in SQL. */
export type CsvOptions = Readonly<Record<string, string>>;

/** A file, and how many of its lines are looked at. */
export interface CsvSample {
  readonly file: DataFile;
  readonly lines: number;
}

export interface CsvColumn {
  readonly name: string;
  readonly type: string;
}

export interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly comment: string;
  readonly skip: number;
  readonly header: boolean;
  readonly columns: readonly CsvColumn[];
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
  /** What was given to find this out, and must be given to read the file too. */
  readonly options: CsvOptions;
}

/** The names that people use for the encodings DuckDB reads without an extension. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ["utf8", "utf-8"],
  ["ascii", "utf-8"],
  ["usascii", "utf-8"],
  ["utf16", "utf-16"],
  ["latin1", "latin-1"],
  ["iso88591", "latin-1"],
  ["l1", "latin-1"],
]);

/** DuckDB's word for a character that there is none of. */
const NONE = "(empty)";

/** Throws what DuckDB throws, and Fault `bad_target` for an encoding that it lacks. */
export async function sniffCsv(
  { file, lines }: CsvSample,
  { reader, extra }: { reader: Reader; extra: CsvOptions },
): Promise<CsvDialect> {
  const options = { ...givenOptions(file), ...extra };
  const result = await reader.connection.run(`
    SELECT Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, Columns, DateFormat, TimestampFormat
    FROM sniff_csv(${quoteText(file.path)}, ${optionText({ sample_size: String(lines), ...options })})`);
  const [row = []] = await readRows(result, reader.api);
  const [delimiter, quote, escape, comment, skip, header, columns, dateFormat, timestampFormat] = row;
  // A file whose first lines quote nothing may still quote something further down.
  const quoting = character(quote) || '"';
  return {
    delimiter: character(delimiter),
    quote: quoting,
    escape: character(escape) || quoting,
    comment: character(comment),
    skip: Number(skip),
    header: header === true,
    columns: Array.isArray(columns) ? columns.map(toColumn) : [],
    ...(typeof dateFormat === "string" ? { dateFormat } : {}),
    ...(typeof timestampFormat === "string" ? { timestampFormat } : {}),
    options,
  };
}

export function optionText(options: CsvOptions): string {
  return Object.entries(options).map(([name, value]) => `${name} = ${value}`).join(", ");
}

function givenOptions({ path, delimiter, header, encoding }: DataFile): CsvOptions {
  return {
    ...(delimiter === undefined ? {} : { delim: quoteText(delimiter) }),
    ...(header === undefined ? {} : { header: String(header) }),
    ...(encoding === undefined ? {} : { encoding: quoteText(encodingName(encoding, path)) }),
  };
}

function encodingName(encoding: string, path: string): string {
  const name = ENCODINGS.get(encoding.toLowerCase().replaceAll(/[-_ ]/g, ""));
  if (name !== undefined) return name;
  throw new Fault(
    "bad_target",
    `Cannot open ${lastPart(path)}: the encoding ${
      JSON.stringify(encoding)
    } is not known. Use utf-8, utf-16 or latin-1.`,
  );
}

function character(cell: Cell | undefined): string {
  return typeof cell === "string" && cell !== NONE ? cell : "";
}

function toColumn(cell: Cell): CsvColumn {
  const members = new Map(cell instanceof Struct ? cell.entries : []);
  return { name: String(members.get("name")), type: String(members.get("type")) };
}
