/**
 * A CSV file as a call of `read_csv` that spells everything out: what was found out once is not sought again by each query.
 */
import type { DataFile } from "../driver.ts";
import {
  type CsvColumn,
  type CsvDialect,
  type CsvOptions,
  optionText,
  SAMPLE_LINES,
  sniffCsv,
} from "./csv_dialect.ts";
import { exactTypes } from "./exact_types.ts";
import { quoteText } from "../sql_text.ts";
import type { Reader } from "./view.ts";

/** Short lines get NULL; the parallel reader cannot do that around quoted line ends. */
const PADDED: CsvOptions = { null_padding: "true", parallel: "false" };
const LENIENT: CsvOptions = { ...PADDED, strict_mode: "false" };
/** An empty text in quotes is a text, not NULL. */
const QUOTED_TEXT: CsvOptions = { allow_quoted_nulls: "false" };

export async function csvSource(file: DataFile, reader: Reader): Promise<string> {
  const dialect = await bestDialect(file, reader);
  const asText = dialect.columns.map(({ name }) => ({ name, type: "VARCHAR" }));
  const doubtful = dialect.columns.filter(({ type }) => type === "DOUBLE").map(({ name }) => name);
  const raw = `(SELECT * FROM ${readCsv(file, { dialect, columns: asText })} LIMIT ${SAMPLE_LINES})`;
  const exact = await exactTypes(doubtful, { raw, reader });
  const columns = dialect.columns.map(({ name, type }) => ({ name, type: exact.get(name) ?? type }));
  return readCsv(file, { dialect, columns });
}

/** The strictest reading that neither fails nor drops lines that look like the others. */
async function bestDialect(file: DataFile, reader: Reader): Promise<CsvDialect> {
  const strict = await sniffCsv(file, { reader, extra: {} }).catch((error: unknown) => ({ error }));
  if (!("error" in strict) && !await isRagged(strict, file)) {
    return await withQuotedText(strict, { file, reader });
  }
  for (const extra of [PADDED, LENIENT]) {
    const padded = await sniffCsv(file, { reader, extra }).catch(() => undefined);
    if (padded !== undefined) return padded;
  }
  if ("error" in strict) throw strict.error;
  return strict;
}

/** DuckDB skips the lines before the last ones that agree, or takes all of them for one column. */
async function isRagged({ skip, columns, delimiter }: CsvDialect, file: DataFile): Promise<boolean> {
  const [only] = columns;
  if (columns.length === 1 && file.delimiter === undefined) return /[,;\t|]/.test(only?.name ?? "");
  return skip > 0 && (await firstLine(file.path)).includes(delimiter);
}

/** Files that put every value in quotes mean NULL by `""`; keeping it as text must not cost other columns their types. */
async function withQuotedText(
  dialect: CsvDialect,
  { file, reader }: { file: DataFile; reader: Reader },
): Promise<CsvDialect> {
  const quoted = await sniffCsv(file, { reader, extra: QUOTED_TEXT });
  return JSON.stringify(quoted.columns) === JSON.stringify(dialect.columns) ? quoted : dialect;
}

async function firstLine(path: string): Promise<string> {
  using file = await Deno.open(path);
  const start = new Uint8Array(4096);
  const read = await file.read(start);
  return new TextDecoder().decode(start.subarray(0, read ?? 0)).split(/[\r\n]/)[0] ?? "";
}

function readCsv(
  { path }: DataFile,
  { dialect, columns }: { readonly dialect: CsvDialect; readonly columns: readonly CsvColumn[] },
): string {
  const types = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(type)}`).join(", ");
  const { dateFormat, timestampFormat } = dialect;
  const options = {
    auto_detect: "false",
    delim: quoteText(dialect.delimiter),
    quote: quoteText(dialect.quote),
    escape: quoteText(dialect.escape),
    comment: quoteText(dialect.comment),
    skip: String(dialect.skip),
    header: String(dialect.header),
    ...(dateFormat === undefined ? {} : { dateformat: quoteText(dateFormat) }),
    ...(timestampFormat === undefined ? {} : { timestampformat: quoteText(timestampFormat) }),
    ...dialect.options,
    columns: `{${types}}`,
  };
  return `read_csv(${quoteText(path)}, ${optionText(options)})`;
}
