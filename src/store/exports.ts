/**
 * Files made of stored results: CSV, JSON or Parquet, with every row and every value as docs/values.md says.
 */
import { csvCell, csvLine, escapeCell } from "../base/csv.ts";
import { Fault } from "../base/fault.ts";
import { MAX_UNIT_BYTES } from "../base/utf8.ts";
import type { WriteParquet } from "../db/parquet.ts";
import type { Artifact, ArtifactStore } from "./artifacts.ts";
import { ColumnType } from "./parquet_types.ts";
import type { ResultStore, Source } from "./results.ts";
import { rowSplitter } from "./row_values.ts";
import { TextFile } from "./text_file.ts";

const MEDIA_TYPES = {
  csv: "text/csv",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
} as const;

export type ExportFormat = keyof typeof MEDIA_TYPES;

export interface ExporterOptions {
  readonly results: ResultStore;
  readonly artifacts: ArtifactStore;
  readonly writeParquet: WriteParquet;
}

export interface ExportOptions {
  readonly format: ExportFormat;
  /** What the file is to be called, without its ending; the result's own name when undefined. */
  readonly name: string | undefined;
  readonly signal: AbortSignal;
}

/** Where a file is written, and until when. */
interface Draft {
  readonly path: string;
  readonly signal: AbortSignal;
}

export class Exporter {
  readonly #options: ExporterOptions;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /** Throws Fault: unavailable for a result that is not there, and what the signal was aborted with. */
  async export(resultId: string, { format, name, signal }: ExportOptions): Promise<Artifact> {
    const { results, artifacts } = this.#options;
    const source = await results.source(resultId, signal);
    const stem = name ?? source.result.file.replace(/\.json$/, "");
    return await artifacts.publish({
      name: `${fileName(stem, format)}.${format}`,
      kind: "file",
      mediaType: MEDIA_TYPES[format],
      write: async (folder, file) => await this.#write(format, { folder, file, source, signal }),
    });
  }

  async #write(
    format: ExportFormat,
    { folder, file, source, signal }: { folder: string; file: string; source: Source; signal: AbortSignal },
  ): Promise<void> {
    const path = `${folder}/${file}`;
    if (format === "json") return await writeJson(source, { path, signal });
    if (format === "csv") return void await writeCsv(source, { path, signal });
    const csv = `${folder}/.rows.csv`;
    const { columns, longestRow } = await writeCsv(source, { path: csv, signal });
    await this.#options.writeParquet({ csv, parquet: path, columns, longestRow, signal });
    await Deno.remove(csv);
  }
}

/** One array, one row a line. */
async function writeJson({ rows }: Source, { path, signal }: Draft): Promise<void> {
  using file = await TextFile.create(path);
  await file.write("[");
  let before = "\n";
  for await (const row of rows()) {
    await file.write(before + row);
    before = ",\n";
    signal.throwIfAborted();
  }
  await file.write("\n]\n");
  await file.flush();
}

/** What the columns would be in Parquet, and what no row is longer than. */
async function writeCsv({ result, kinds, rows }: Source, { path, signal }: Draft) {
  const types = kinds.map((each) => new ColumnType(each));
  const split = rowSplitter(result.columns);
  using file = await TextFile.create(path);
  let longestRow = 0;
  const add = async (cells: readonly string[]) => {
    const line = `${csvLine(cells)}\n`;
    longestRow = Math.max(longestRow, MAX_UNIT_BYTES * line.length);
    await file.write(line);
  };
  await add(result.columns.map(escapeCell));
  for await (const row of rows()) {
    const values = split(row);
    types.forEach((type, at) => type.add(values[at] ?? "null"));
    await add(values.map(csvCell));
    signal.throwIfAborted();
  }
  await file.flush();
  const columns = result.columns.map((name, at) => ({ name, type: types[at]?.type ?? "VARCHAR" }));
  return { columns, longestRow };
}

/** In UTF-8 bytes; most systems take 255, with the ending. */
const MAX_NAME_BYTES = 200;

/** Letters, digits and harmless marks of what a model wrote; an ending that it gave already is not doubled. */
function fileName(text: string, format: ExportFormat): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "_").replace(/^[. ]+|[. ]+$/g, "");
  const stem = plain.toLowerCase().endsWith(`.${format}`) ? plain.slice(0, -format.length - 1) : plain;
  const { read } = new TextEncoder().encodeInto(stem, new Uint8Array(MAX_NAME_BYTES));
  const name = stem.slice(0, read).trim();
  if (name !== "") return name;
  throw new Fault(
    "bad_request",
    "Cannot name the file: the name has no letter or digit. Choose another one.",
  );
}
