/**
 * `saber sql`: one statement on one database, its rows in the form that was asked for. No model takes part; the guard, the
 * engines and the limits are those of every other mode.
 */
import { abortable } from "../../base/abortable.ts";
import { Fault } from "../../base/fault.ts";
import type { App, Io, Mode, OpenDatabases } from "../../app.ts";
import { withNearestNames } from "../../tools/nearest_names.ts";
import { formatName } from "../../term/registry.ts";
import { waiting } from "../waiting.ts";
import { ROW_CAPS } from "../row_caps.ts";
import { confirmed } from "./confirm.ts";
import { type Printing, printRows } from "./print_rows.ts";
import { readStatement } from "./read_statement.ts";

/** EXPLAIN in the words of each dialect that show the plan. */
const EXPLAIN = { sqlite: "EXPLAIN QUERY PLAN", duckdb: "EXPLAIN", postgres: "EXPLAIN", mysql: "EXPLAIN" };

export const sql: Mode = {
  usage: {
    line: 'sql ["STATEMENT"] [flags]',
    summary:
      "Run one statement and print its rows, without any model. Without STATEMENT it is read from stdin.",
    flags: ["database", "file", "output", "explain", "timeout", "allow-dangerous", "yes"],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { given } = app;
  const form = formatName(given.flags.output ?? "table");
  const text = await readStatement(given, io);
  if (app.config.access === "write" && !await confirmed(given, io)) {
    io.warn("Nothing was run.");
    return 1;
  }
  const databases = await app.openDatabases();
  try {
    await runOn(databases, { text, explain: given.flags.explain ?? false, form, app, io });
  } finally {
    await databases.close();
  }
  return 0;
}

interface Work extends Pick<Printing, "app" | "io" | "form"> {
  readonly text: string;
  readonly explain: boolean;
}

async function runOn(databases: OpenDatabases, { text, explain, form, app, io }: Work): Promise<void> {
  const signal = io.stop;
  const [info, ...others] = databases.list;
  if (info === undefined || others.length > 0) {
    throw new Fault("usage", "Cannot run one statement on several databases. Name one with -d.");
  }
  app.keepOnly(["read", ...await databases.loadLibraries()]);
  const sql = explain ? `${EXPLAIN[info.dialect]} ${text}` : text;
  const wait = await waiting(app, { io, label: "running" });
  try {
    const database = await abortable(databases.get(info.name), signal);
    try {
      const start = performance.now();
      const cursor = await database.run({ sql, caps: ROW_CAPS, signal });
      await printRows(cursor, { app, io, form, start, began: () => wait[Symbol.dispose]() });
    } catch (error) {
      throw await withNearestNames(error, { database, sql, signal });
    }
  } finally {
    wait[Symbol.dispose]();
  }
}
