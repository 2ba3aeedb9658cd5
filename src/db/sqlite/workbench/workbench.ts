/**
 * SQLite for people who edit: puts its sessions and its SQL behind the contract of workbench.ts.
 */
import { Fault } from "../../../base/fault.ts";
import { fileKind } from "../../file_kind.ts";
import { absolutePath } from "../../paths.ts";
import { quoteName } from "../../sql_text.ts";
import { qualified } from "../../standard_definitions.ts";
import type { Address, Workbench, WorkOptions, WorkSource } from "../../workbench.ts";
import { indexParts } from "../ddl.ts";
import { SQLITE } from "../dialect.ts";
import { CATALOG } from "./catalog_sql.ts";
import { DEFINITIONS } from "./definitions.ts";
import { PLANS } from "./plans.ts";
import { SqliteSession } from "./session.ts";
import { VALUES } from "./values.ts";

/** How long another program's lock is waited for, in milliseconds. */
const BUSY_MS = 5000;
/** Processes at once; each takes some 20 MB. */
const MAX_PROCESSES = 4;

function open(address: Address, options: WorkOptions): WorkSource {
  const typed = address.database ?? "";
  if (typed === "") {
    throw new Fault("bad_target", "Cannot open the database: no file is given. Choose a SQLite file.");
  }
  const path = absolutePath(typed, { cwd: Deno.cwd(), home: options.home });
  if (fileKind(path, { typed, expected: "sqlite" }) !== "sqlite") {
    throw new Fault(
      "bad_target",
      "Cannot open the database: the file is not a SQLite database. Check the path.",
    );
  }
  const { access, statementMs } = options;
  return {
    most: MAX_PROCESSES,
    connect: (signal) =>
      Promise.try(() => {
        signal.throwIfAborted();
        return new SqliteSession({ path, access, statementMs, busyMs: BUSY_MS });
      }),
    close: () => Promise.resolve(),
  };
}

export const workbench: Workbench = {
  engine: "sqlite",
  lexis: SQLITE.lexis,
  open: (address, options) => Promise.try(open, address, options),
  quote: quoteName,
  qualify: (table) => qualified(table, quoteName),
  version: "SELECT 'SQLite ' || sqlite_version()",
  catalog: CATALOG,
  indexExpression: (definition, place) => indexParts(definition).columns[place - 1] ?? definition,
  values: VALUES,
  definitions: DEFINITIONS,
  plans: PLANS,
};
