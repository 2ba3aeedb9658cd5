/**
 * A CSV file as a call of `read_csv` that spells everything out: what was found out once is not sought again by each query.
 */
import type { DataFile } from "../driver.ts";
import {
  type CsvColumn,
  type CsvDialect,
  type CsvOptions,
  type CsvSample,
  optionText,
  sniffCsv,
} from "./csv_dialect.ts";
import { exactTypes, isDoubtful } from "./exact_types.ts";
import { exactValue, mayBend } from "./exact_value.ts";
import { lastPart } from "../paths.ts";
import { quoteName, quoteText } from "../sql_text.ts";
import { limitTo, sampleSize } from "./sample.ts";
import type { Reader } from "./view.ts";

interface Typed {
  readonly dialect: CsvDialect;
  readonly columns: readonly CsvColumn[];
}

/** How many lines of a large file are looked at. */
const SAMPLE_LINES = 50_000;
/** Short lines get NULL; the parallel reader cannot do that around quoted line ends. */
const PADDED: CsvOptions = { null_padding: "true", parallel: "false" };
const LENIENT: CsvOptions = { ...PADDED, strict_mode: "false" };
/** An empty text in quotes is a text, not NULL. */
const QUOTED_TEXT: CsvOptions = { allow_quoted_nulls: "false" };

export async function csvSource(file: DataFile, reader: Reader): Promise<string> {
  const lines = await sampleSize(file, SAMPLE_LINES);
  const dialect = await bestDialect({ file, lines }, reader);
  const asText = dialect.columns.map(({ name }) => ({ name, type: "VARCHAR" }));
  const doubtful = dialect.columns.filter(isDoubtful)
    .map((column) => ({ ...column, format: formatOf(column, dialect) }));
  const raw = `(SELECT * FROM ${readCsv(file, { dialect, columns: asText })}${limitTo(lines)})`;
  const exact = await exactTypes(doubtful, { raw, reader });
  const columns = dialect.columns.map(({ name, type }) => ({ name, type: exact.get(name) ?? type }));
  return valuesAsTheyAre(file, { dialect, columns });
}

/** Of columns whose dates or times are not written as ISO 8601, as the sniffer says it of all of a kind. */
function formatOf({ type }: CsvColumn, { dateFormat, timestampFormat }: CsvDialect): string | undefined {
  return type === "DATE" ? dateFormat : type === "TIMESTAMP" ? timestampFormat : undefined;
}

/** Numbers, dates and times are read as text, so that none is bent. */
function valuesAsTheyAre(file: DataFile, { dialect, columns }: Typed): string {
  const read = columns.map(({ name, type }) => ({ name, type: mayBend(type) ? "VARCHAR" : type }));
  const about = { file: lastPart(file.path), isOfAll: false };
  const values = columns.map((column) => {
    const name = quoteName(column.name);
    if (!mayBend(column.type)) return name;
    return `${exactValue(name, { ...column, ...about, format: formatOf(column, dialect) })} AS ${name}`;
  });
  return `(SELECT ${values.join(", ")} FROM ${readCsv(file, { dialect, columns: read })})`;
}

/** The strictest reading that neither fails nor drops lines that look like the others. */
async function bestDialect(sample: CsvSample, reader: Reader): Promise<CsvDialect> {
  const strict = await sniffCsv(sample, { reader, extra: {} }).catch((error: unknown) => ({ error }));
  if (!("error" in strict) && !await isRagged(strict, sample.file)) {
    return await withQuotedText(strict, { sample, reader });
  }
  for (const extra of [PADDED, LENIENT]) {
    const padded = await sniffCsv(sample, { reader, extra }).catch(() => undefined);
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
  { sample, reader }: { sample: CsvSample; reader: Reader },
): Promise<CsvDialect> {
  const quoted = await sniffCsv(sample, { reader, extra: QUOTED_TEXT });
  return JSON.stringify(quoted.columns) === JSON.stringify(dialect.columns) ? quoted : dialect;
}

async function firstLine(path: string): Promise<string> {
  using file = await Deno.open(path);
  const start = new Uint8Array(4096);
  const read = await file.read(start);
  return new TextDecoder().decode(start.subarray(0, read ?? 0)).split(/[\r\n]/)[0] ?? "";
}

function readCsv({ path }: DataFile, { dialect, columns }: Typed): string {
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
