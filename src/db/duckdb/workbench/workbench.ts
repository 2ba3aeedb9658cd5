/**
 * DuckDB files for people who edit: puts their sessions and DuckDB's SQL behind the contract of workbench.ts.
 */
import { Fault } from "../../../base/fault.ts";
import { isFile } from "../../file_kind.ts";
import { absolutePath } from "../../paths.ts";
import { quoteName, quoteText } from "../../sql_text.ts";
import { qualified } from "../../standard_definitions.ts";
import type { Address, TableName, Workbench, WorkOptions, WorkSource } from "../../workbench.ts";
import { DUCKDB_DIALECT } from "../dialect.ts";
import { CLOSED } from "../instance.ts";
import { loadDuckDb } from "../library.ts";
import { openFault } from "../open_errors.ts";
import { CATALOG } from "./catalog_sql.ts";
import { DEFINITIONS } from "./definitions.ts";
import { PLANS } from "./plans.ts";
import { DuckDbSource } from "./source.ts";
import { VALUES } from "./values.ts";

async function open(address: Address, options: WorkOptions): Promise<WorkSource> {
  const typed = address.database ?? "";
  if (typed === "") {
    throw new Fault("bad_target", "Cannot open the database: no file is given. Choose a DuckDB file.");
  }
  const path = absolutePath(typed, { cwd: Deno.cwd(), home: options.home });
  if (!isFile(path)) {
    throw new Fault("bad_target", `Cannot open ${JSON.stringify(typed)}: there is no such file.`);
  }
  const api = await loadDuckDb();
  const { startup, statementMs, access } = options;
  return new DuckDbSource({
    api,
    startup: [
      ...address.timeZone === undefined ? [] : [`SET TimeZone = ${quoteText(address.timeZone)}`],
      ...startup,
    ],
    statementMs,
    readsOnly: false,
    open: async () => {
      try {
        // one file is one instance in this process, however many connections the host has to it
        return await api.DuckDBInstance.fromCache(path, {
          ...CLOSED,
          enable_external_access: "false",
          errors_as_json: "true",
          access_mode: access === "read" ? "READ_ONLY" : "READ_WRITE",
        });
      } catch (error) {
        throw openFault(path, error);
      }
    },
  });
}

/** What the engines with DuckDB's SQL have in common. */
export const DUCKDB_WORK = {
  lexis: DUCKDB_DIALECT.lexis,
  quote: quoteName,
  qualify: (table: TableName) => qualified(table, quoteName),
  useSchema: (schema: string) => `SET schema = ${quoteText(schema)}`,
  version: "SELECT 'DuckDB ' || version()",
  catalog: CATALOG,
  values: VALUES,
  definitions: DEFINITIONS,
  plans: PLANS,
} satisfies Partial<Workbench>;

export const workbench: Workbench = { ...DUCKDB_WORK, engine: "duckdb", open };
