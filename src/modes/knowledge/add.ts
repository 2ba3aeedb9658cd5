/**
 * `saber knowledge add`: writes something down about a database, for the agent to find.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { printLines } from "../print.ts";
import { knownDatabase } from "./known_database.ts";

export const add: Mode = {
  usage: {
    line: "knowledge add NAME DESCRIPTION [flags]",
    summary: "Write something down about a database: what a term means, a query that works.",
    flags: ["database", "sql", "source"],
    words: 2,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const [name = "", description = ""] = app.given.words.map((word) => word.trim());
  const { sql, source } = app.given.flags;
  if (name === "" || description === "") {
    throw new Fault("usage", 'Write saber knowledge add "NAME" "DESCRIPTION"; neither may be empty.');
  }
  const database = await knownDatabase(app);
  const store = await (await app.openKnowledge()).store();
  const id = await store.add({
    database,
    name,
    description,
    sql: sql?.trim() || null,
    source: source?.trim() || null,
  });
  await printLines(io, [`Added ${id} about ${database}.`]);
  return 0;
}
