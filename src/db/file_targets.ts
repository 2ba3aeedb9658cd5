/**
 * Targets made of files. Bytes decide what a file is: a scheme or an extension is only believed where they say nothing.
 */
import type { DatabaseFile, DataFile, DataFiles } from "./driver.ts";
import { type FileKind, fileKind } from "./file_kind.ts";
import type { CsvOptions } from "./file_url.ts";
import { nameParts } from "./paths.ts";
import { fileName, mergedName, nameTables } from "./table_names.ts";

export interface FileChoice {
  /** Absolute. */
  readonly path: string;
  /** As the person wrote it: what errors name. */
  readonly typed: string;
  /** What a scheme or a saved connection says it is. */
  readonly expected?: FileKind;
  readonly options?: CsvOptions;
}

/** Throws Fault `bad_target` for what fileKind refuses. */
export function fileTarget(choice: FileChoice): DatabaseFile | DataFiles {
  const kind = fileKind(choice.path, choice);
  const name = fileName(choice.path);
  if (kind === "sqlite" || kind === "duckdb") {
    return { engine: kind, name, excludeSchemas: [], path: choice.path };
  }
  const delimiter = nameParts(choice.path).extension === "tsv" ? { delimiter: "\t" } : {};
  const { sample } = choice.options ?? {};
  const options = kind === "csv" ? { ...delimiter, ...choice.options } : sample && { sample };
  return filesTarget(name, [{ path: choice.path, format: kind, ...options }]);
}

/** A database that lives as long as the program and starts empty. */
export function memoryTarget(engine: DatabaseFile["engine"], name = "database"): DatabaseFile {
  return { engine, name, excludeSchemas: [], path: ":memory:" };
}

/** Several data files as one database, each file one table. */
export function mergeTargets(targets: readonly DataFiles[]): DataFiles {
  const files = targets.flatMap((target) => target.files);
  return filesTarget(mergedName(files.map((file) => file.path)), files);
}

function filesTarget(name: string, files: readonly Omit<DataFile, "table">[]): DataFiles {
  return { engine: "files", name, excludeSchemas: [], files: nameTables(files) };
}
