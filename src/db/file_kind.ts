/**
 * What a file is, judged by its first bytes; its extension only helps where the bytes say nothing.
 * It reads one header and opens no database.
 */
import { Fault } from "../base/fault.ts";
import { shown } from "../base/shown.ts";
import { nameParts } from "./paths.ts";

export type FileKind = "sqlite" | "duckdb" | "csv" | "parquet" | "json";

const BY_EXTENSION: { readonly [extension: string]: FileKind } = {
  db: "sqlite",
  sqlite: "sqlite",
  sqlite3: "sqlite",
  duckdb: "duckdb",
  ddb: "duckdb",
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  parquet: "parquet",
  json: "json",
  jsonl: "json",
  ndjson: "json",
};

/** The kind that an extension promises. */
export function promisedKind(path: string): FileKind | undefined {
  const { extension } = nameParts(path);
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * The kind of an existing file. `expected` is what a URL's scheme said; `typed` is named in errors.
 * Throws Fault `bad_target` for a file that is missing, not a regular file, unreadable, or of no kind that saber reads.
 */
export function fileKind(path: string, about: { typed: string; expected?: FileKind }): FileKind {
  const header = readHeader(path, about.typed);
  const promised = about.expected ?? promisedKind(path);
  const found = magicKind(header) ?? (promised === "csv" || promised === "json" ? promised : undefined);
  if (found !== undefined) return found;
  // SQLite makes a database of no bytes at the first open, and reads it as one without tables.
  if (header.length === 0 && promised === "sqlite") return "sqlite";
  throw refusal(
    about.typed,
    promised === "parquet"
      ? "it is not a Parquet file. Check that it was copied whole"
      : promised === undefined
      ? "its content is no SQLite, DuckDB or Parquet file and its extension none of .csv .tsv .txt .json .jsonl .ndjson"
      : "it is not a SQLite or DuckDB database. It may be encrypted, damaged, or another program's file",
  );
}

/** DuckDB: a checksum of 8 bytes, "DUCK", and a version below 256 in 8 bytes, which no text file has. */
function magicKind(header: Uint8Array): FileKind | undefined {
  const text = String.fromCharCode(...header);
  if (text.startsWith("SQLite format 3\0")) return "sqlite";
  if (text.startsWith("DUCK", 8) && text.endsWith("\0".repeat(7)) && text.length === HEADER_BYTES) {
    return "duckdb";
  }
  return text.startsWith("PAR1") ? "parquet" : undefined;
}

const HEADER_BYTES = 20;

function readHeader(path: string, typed: string): Uint8Array {
  try {
    const { isFile, isDirectory } = Deno.statSync(path);
    if (isDirectory) throw refusal(typed, "it is a directory. Name a file in it");
    // Opening a pipe would wait for its writer.
    if (!isFile) throw refusal(typed, "it is not a regular file");
    using file = Deno.openSync(path);
    const header = new Uint8Array(HEADER_BYTES);
    return header.subarray(0, file.readSync(header) ?? 0);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw refusal(typed, unreadable(error));
  }
}

function unreadable(error: unknown): string {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return "it does not exist. Check the path";
  }
  return error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable
    ? "reading it is not permitted. Check its permissions"
    : "it can't be read. Check the path and its permissions";
}

function refusal(typed: string, state: string): Fault {
  return new Fault("bad_target", `Cannot open the file ${shown(typed)}: ${state}.`);
}
