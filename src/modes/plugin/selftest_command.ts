/**
 * `saber plugin selftest`: asks a driver by its own methods, as the host would, and says what worked. Without a database it
 * makes one of its own; a given one is only looked at.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault, toFault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Command } from "../../wire/dispatch.ts";
import { printLines } from "../print.ts";
import { chosenDrivers } from "./chosen_drivers.ts";
import { commandsOf } from "./commands.ts";
import { type DriverId, DRIVERS } from "./drivers.ts";
import { Plugin } from "./plugin.ts";

type Step = readonly [method: string, fields: { readonly [key: string]: Json }];

/** What only looks. */
const LOOKING: readonly Step[] = [
  ["test_connection", {}],
  ["ping", {}],
  ["get_databases", {}],
  ["get_schemas", {}],
  ["get_tables", { schema: null }],
  ["get_views", { schema: null }],
  ["get_routines", { schema: null }],
  ["get_schema_snapshot", { schema: null }],
  ["execute_query", { query: "SELECT 1", limit: 10, page: 1, schema: null }],
  ["get_connection_metadata", {}],
];

const query = (sql: string): Step => ["execute_query", { query: sql, limit: 10, page: 1, schema: null }];

/** What changes a database of our own. */
const CHANGING: readonly Step[] = [
  query("CREATE TABLE selftest (id INTEGER PRIMARY KEY, name VARCHAR(20))"),
  ["insert_record", { table: "selftest", data: { id: 1, name: "one" }, schema: null }],
  ["update_record", { table: "selftest", pk_map: { id: 1 }, col_name: "name", new_val: "two", schema: null }],
  ["get_columns", { table: "selftest", schema: null }],
  ["explain_query", { query: "SELECT name FROM selftest", analyze: false, schema: null }],
  ["delete_record", { table: "selftest", pk_map: { id: 1 }, schema: null }],
  query("DROP TABLE selftest"),
];

export const selftest: Mode = {
  usage: {
    line: "plugin selftest [flags]",
    summary:
      "Try the methods of a driver, and say what worked. -d is a file, a folder or a URL that is only looked at.",
    flags: ["driver", "database"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const [database] = app.config.databases;
  const ids = chosenDrivers(app.config.driver).filter((id) => database !== undefined || OWN[DRIVERS[id]]);
  if (ids.length === 0 || (database !== undefined && ids.length > 1)) {
    throw new Fault(
      "usage",
      "Say which driver is tried, and for a server its URL: --driver saber-postgres -d URL.",
    );
  }
  const folder = await Deno.makeTempDir({ prefix: "saber-selftest-" });
  let failures = 0;
  try {
    for (const id of ids) failures += await tryDriver(app, { io, id, folder, database });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return failures === 0 ? 0 : 1;
}

/** Engines that can make a database out of nothing: the file, and what is in it. */
const OWN: {
  readonly [engine: string]: { readonly file: string; readonly text: string; readonly changes: boolean };
} = {
  sqlite: { file: "selftest.sqlite", text: "", changes: true },
  files: { file: "selftest.csv", text: "id,name\n1,one\n", changes: false },
};

interface Trial {
  readonly io: Io;
  readonly id: DriverId;
  readonly folder: string;
  readonly database: string | undefined;
}

/** How many methods failed. */
async function tryDriver(app: App, { io, id, folder, database }: Trial): Promise<number> {
  const own = OWN[DRIVERS[id]];
  const path = `${folder}/${own?.file}`;
  if (database === undefined && own !== undefined) await Deno.writeTextFile(path, own.text);
  const place = database === undefined
    ? { database: path }
    : /^[a-z]+:\/\//.test(database)
    ? { connection_uri: database }
    : { database };
  const plugin = new Plugin({ ...app, home: app.config.folders.home }, id);
  const commands = commandsOf(plugin, { cancel: () => {}, close: () => {} });
  const steps = [...LOOKING, ...database === undefined && own?.changes ? CHANGING : []];
  let failures = 0;
  try {
    for (const [method, fields] of steps) {
      const failure = await tryMethod(commands[method], { params: { driver: id, ...place }, ...fields });
      if (failure !== undefined) failures++;
      await printLines(io, [`${id} ${method}: ${failure ?? "ok"}`]);
    }
  } finally {
    await plugin.close();
  }
  return failures;
}

/** Why the method failed; undefined when it did not. */
async function tryMethod(
  command: Command | undefined,
  params: { readonly [key: string]: Json },
): Promise<string | undefined> {
  try {
    await command?.run(params, {
      id: undefined,
      signal: new AbortController().signal,
      afterReply: () => {},
    });
    return undefined;
  } catch (error) {
    return toFault(error).message;
  }
}
