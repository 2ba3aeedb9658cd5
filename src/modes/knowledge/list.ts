/**
 * `saber knowledge list`: what was written down about a database.
 */
import type { App, Io, Mode } from "../../app.ts";
import { printEntries } from "./print_entries.ts";
import { knownDatabase } from "./known_database.ts";

export const list: Mode = {
  usage: {
    line: "knowledge list [flags]",
    summary: "List what was written down about a database.",
    flags: ["database", "json"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const entries = await (await app.openKnowledge()).entries(await knownDatabase(app));
  await printEntries(app, { io, entries, none: "Nothing was written down about this database." });
  return 0;
}
