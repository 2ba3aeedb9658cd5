/**
 * `saber knowledge show`: one entry in full.
 */
import type { App, Io, Mode } from "../../app.ts";
import { lines, oneLine } from "../../term/plain_text.ts";
import { printJson, printLines } from "../print.ts";
import { entryOf } from "./entry_of.ts";
import { toIso } from "./print_entries.ts";

export const show: Mode = {
  usage: {
    line: "knowledge show ID [flags]",
    summary: "Show an entry in full.",
    flags: ["database", "json"],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { createdAt, ...entry } = await entryOf(app);
  if (app.given.flags.json) await printJson(io, { ...entry, created_at: toIso(createdAt) });
  else {
    const { id, name, database, description, sql, source } = entry;
    await printLines(io, [
      `${oneLine(name)} (${oneLine(database)}, ${id})`,
      lines(description),
      ...sql === null ? [] : ["", lines(sql)],
      ...source === null ? [] : ["", `Source: ${oneLine(source)}`],
    ]);
  }
  return 0;
}
