/**
 * `saber knowledge search`: what the agent would find.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { limitOf } from "../limit_flag.ts";
import { knownDatabase } from "./known_database.ts";
import { printEntries } from "./print_entries.ts";

export const search: Mode = {
  usage: {
    line: "knowledge search QUERY [flags]",
    summary: "Find what was written down, as the agent does.",
    flags: ["database", "limit", "json"],
    words: 1,
  },
  run,
};

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;

async function run(app: App, io: Io): Promise<number> {
  const [query = ""] = app.given.words;
  const limit = limitOf(app.given.flags.limit, { usual: DEFAULT_LIMIT, most: MAX_LIMIT });
  if (query.trim() === "") throw new Fault("usage", 'What for? Write saber knowledge search "WORDS".');
  const entries = await (await app.openKnowledge()).search(await knownDatabase(app), { query, limit });
  await printEntries(app, { io, entries, none: "Nothing was found." });
  return 0;
}
