/**
 * `saber knowledge clear`: forgets all that saber keeps about a database, when the person means it.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { askingAt } from "../asking_at.ts";
import { printLines } from "../print.ts";
import { knownDatabase } from "./known_database.ts";

export const clear: Mode = {
  usage: {
    line: "knowledge clear [flags]",
    summary: "Forget all that was written down about a database.",
    flags: ["database", "force"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const database = await knownDatabase(app);
  if (!app.given.flags.force) {
    if (!io.terminal.isInput) {
      throw new Fault("usage", "Cannot ask whether to forget it all: there is no terminal. Add --force.");
    }
    using asking = askingAt(io);
    const answer = await asking.ask(`Forget all about ${database}? Type yes:`);
    if (!/^y(?:es)?$/i.test(answer)) {
      io.warn("Nothing was forgotten.");
      return 1;
    }
  }
  const store = await (await app.openKnowledge()).store();
  const count = await store.clear(database);
  await printLines(io, [`Forgot ${count} ${count === 1 ? "entry" : "entries"} about ${database}.`]);
  return 0;
}
