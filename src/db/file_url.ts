/**
 * The URLs of files: `sqlite:`, `duckdb:`, `csv:` and `csvs:`, taken apart. What stands in the files is not looked at.
 * After the scheme, `//` and `///` may stand before the path, so an absolute path has four slashes, or one, or none of these:
 * `sqlite:////abs/x.db`, `sqlite:/abs/x.db`; relative is `sqlite:///x.db`, `sqlite:x.db`.
 */
import { Fault } from "../base/fault.ts";
import type { DataFile } from "./driver.ts";
import { isFile } from "./file_kind.ts";
import { absolutePath, type Places } from "./paths.ts";

/** The path as written, which names the database, and the absolute path of the file it means. */
export interface FileUrl {
  readonly path: string;
  readonly absolute: string;
}

export type CsvOptions = Pick<DataFile, "delimiter" | "encoding" | "header" | "sample">;

/** `rest` is what follows the scheme's colon; an empty path stands for a database in memory. */
export function fileOfUrl(rest: string, places: Places): FileUrl {
  const path = rest.replace(/^\/\/\/?/, "");
  const decoded = decodePath(path);
  // Paths that were written without escapes, and absolute ones with three slashes, are found where the file exists.
  const others = rest.startsWith("///") ? [path, `/${decoded}`] : [path];
  const meant = others.find((other) => isFile(absolutePath(other, places)));
  const chosen = meant === undefined || isFile(absolutePath(decoded, places)) ? decoded : meant;
  return { path: chosen, absolute: absolutePath(chosen, places) };
}

/** A `csv:` URL: its path ends at the first `?`, then come options. */
export function csvOfUrl(rest: string, places: Places): FileUrl & { readonly options: CsvOptions } {
  const [path = "", ...query] = rest.split("?");
  return { ...fileOfUrl(path, places), options: csvOptions(new URLSearchParams(query.join("?"))) };
}

/** The `csv:` URLs (what follows their scheme's colon) that a `csvs:` URL lists in its parameters `spec`. */
export function specsOfUrl(rest: string): readonly string[] {
  const query = new URLSearchParams(rest.slice(rest.includes("?") ? rest.indexOf("?") + 1 : rest.length));
  const specs = query.getAll("spec").map((spec) => spec.trim()).filter((spec) => spec !== "");
  if (specs.length === 0 || specs.some((spec) => !/^csv:/i.test(spec))) {
    throw new Fault(
      "bad_target",
      "Cannot read the csvs: URL: its parameters `spec` must each hold a csv: URL, percent-encoded. " +
        "Name the files one by one instead: -d a.csv -d b.csv.",
    );
  }
  return specs.map((spec) => spec.slice(4));
}

/** Throws Fault `bad_target` for options that are unknown or have an impossible value. */
export function csvOptions(given: Iterable<readonly [string, string]>): CsvOptions {
  const options: { delimiter?: string; encoding?: string; header?: boolean; sample?: "all" } = {};
  for (const [name, value] of given) {
    if (name === "delimiter" && value !== "") options.delimiter = value === "\\t" ? "\t" : value;
    else if (name === "encoding" && value !== "") options.encoding = value;
    else if (name === "sample" && value === "all") options.sample = value;
    else if (name === "header" && /^(?:true|false)$/i.test(value)) {
      options.header = value.toLowerCase() === "true";
    } else {
      throw new Fault(
        "bad_target",
        "Cannot use the options of a csv: URL: there are only delimiter, encoding, header (true or false) " +
          "and sample (all).",
      );
    }
  }
  return options;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
