/**
 * A folder of data files, or one file, for people who look at them: each file is a view, and nothing is written.
 */
import { Fault } from "../../base/fault.ts";
import { loadDuckDb } from "../duckdb/library.ts";
import { DuckDbSource } from "../duckdb/workbench/source.ts";
import { DUCKDB_WORK } from "../duckdb/workbench/workbench.ts";
import { isFile, promisedKind } from "../file_kind.ts";
import { fileTarget, mergeTargets } from "../file_targets.ts";
import { openViews } from "../files.ts";
import type { DataFile } from "../driver.ts";
import { absolutePath } from "../paths.ts";
import { quoteText } from "../sql_text.ts";
import type { Address, CatalogSql, Workbench, WorkOptions, WorkSource } from "../workbench.ts";

/** Files of one folder that become tables. */
const MAX_FILES = 1000;

async function open(address: Address, { home, statementMs, startup }: WorkOptions): Promise<WorkSource> {
  const typed = address.database ?? "";
  if (typed === "") {
    throw new Fault("bad_target", "Cannot open the files: no folder is given. Choose a folder or a file.");
  }
  const files = filesOf(absolutePath(typed, { cwd: Deno.cwd(), home }), typed);
  const api = await loadDuckDb();
  return new DuckDbSource({
    api,
    startup,
    statementMs,
    readsOnly: true,
    open: () => openViews(files, { api, readOnly: true }),
  });
}

/** The data files of a folder, without those in folders within it. Throws Fault `bad_target`. */
function filesOf(path: string, typed: string): readonly DataFile[] {
  const paths = isFile(path) ? [path] : list(path, typed);
  const targets = paths.map((each) => fileTarget({ path: each, typed: each }))
    .filter((target) => target.engine === "files");
  if (targets.length > 0) return mergeTargets(targets).files;
  throw new Fault(
    "bad_target",
    "Cannot open the files: there is no CSV, TSV, Parquet or JSON lines file. Choose another folder.",
  );
}

function list(folder: string, typed: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ name, isDirectory }) => !isDirectory && isData(name))
      .map(({ name }) => `${folder.replace(/[\\/]+$/, "")}/${name}`).sort().slice(0, MAX_FILES);
  } catch (cause) {
    throw new Fault(
      "bad_target",
      `Cannot open the files: ${JSON.stringify(typed)} cannot be read. Check the path.`,
      {
        cause,
      },
    );
  }
}

function isData(name: string): boolean {
  const kind = promisedKind(name);
  return kind === "csv" || kind === "parquet" || kind === "json";
}

const quoted = (sql: string) => `'"' || replace(${sql}, '"', '""') || '"'`;

/** The host lists tables; here every view is one. */
const CATALOG: CatalogSql = {
  ...DUCKDB_WORK.catalog,
  tables: ({ schema }) => `
    SELECT view_name, comment FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = ${
    quoteText(schema ?? "main")
  } AND NOT internal ORDER BY view_name`,
  views: () => "SELECT '' WHERE false",
  // a table with the same columns, which a database can be filled from; the view's own text is about this computer
  tableDefinition: ({ schema, name }) => `
    SELECT 'CREATE TABLE ' || ${quoted("any_value(table_name)")} || E' (\\n  ' ||
      string_agg(${quoted("column_name")} || ' ' || data_type, E',\\n  ' ORDER BY column_index) || E'\\n)'
    FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = ${
    quoteText(schema ?? "main")
  } AND NOT internal AND lower(table_name) = lower(${quoteText(name)}) HAVING count(*) > 0`,
};

export const workbench: Workbench = {
  ...DUCKDB_WORK,
  engine: "files",
  readsOnly: true,
  catalog: CATALOG,
  open,
};
