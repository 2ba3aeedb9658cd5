/**
 * The target that a database URL means, by its scheme; a driver's name after `+` (`mysql+pymysql:`) says nothing here.
 */
import { Fault } from "../base/fault.ts";
import { shown } from "../base/shown.ts";
import type { DataFiles, Target } from "./driver.ts";
import { isServerScheme, parseDsn } from "./dsn.ts";
import { promisedKind } from "./file_kind.ts";
import { fileTarget, memoryTarget, mergeTargets } from "./file_targets.ts";
import { csvOfUrl, fileOfUrl, specsOfUrl } from "./file_url.ts";
import type { Places } from "./paths.ts";
import { fileName } from "./table_names.ts";

/** Undefined for what is no URL of ours: a Windows path, a name with a colon. */
export function urlTarget(text: string, places: Places): Target | undefined {
  const url = /^([a-z][a-z\d]+)(?:\+[a-z\d_]+)?:(.*)$/is.exec(text);
  if (url === null) return undefined;
  const scheme = (url[1] ?? "").toLowerCase();
  const rest = url[2] ?? "";
  if (isServerScheme(scheme)) return parseDsn({ scheme, rest }, places);
  switch (scheme) {
    case "sqlite":
    case "duckdb":
      return databaseUrl({ engine: scheme, rest }, places);
    case "csv":
      return csvTarget(rest, places);
    case "csvs":
      return {
        ...mergeTargets(specsOfUrl(rest).map((spec) => csvTarget(spec, places))),
        name: fileName(rest.replace(/\?.*$/s, "")),
      };
  }
  if (!rest.startsWith("//")) return undefined;
  throw new Fault(
    "bad_target",
    "Cannot use the database URL: its scheme is not supported. Use postgresql, mysql, mariadb, sqlite, duckdb or csv.",
  );
}

function databaseUrl(url: { engine: "sqlite" | "duckdb"; rest: string }, places: Places): Target {
  const { path, absolute } = fileOfUrl(url.rest, places);
  if (path === "" || path === ":memory:") return memoryTarget(url.engine, fileName(path));
  return fileTarget({ path: absolute, typed: path, expected: url.engine });
}

/** A file of JSON stays one; the scheme is the only one that takes options. */
function csvTarget(rest: string, places: Places): DataFiles {
  const { path, absolute, options } = csvOfUrl(rest, places);
  const expected = promisedKind(path) === "json" ? "json" : "csv";
  const target = fileTarget({ path: absolute, typed: path, expected, options });
  if (target.engine === "files") return target;
  throw new Fault(
    "bad_target",
    `Cannot read ${shown(path)} as CSV: it is a ${target.engine} database. Name it without csv:.`,
  );
}
