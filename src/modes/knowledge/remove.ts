/**
 * `saber knowledge remove`: forgets one entry. Those of the Python program stay: its file is only read.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { printLines } from "../print.ts";

export const remove: Mode = {
  usage: { line: "knowledge remove ID", summary: "Forget an entry.", flags: [], words: 1 },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const [id] = app.given.words;
  if (id === undefined) throw new Fault("usage", "Which entry? 'saber knowledge list' shows their ids.");
  const store = await (await app.openKnowledge()).store();
  if (!await store.remove(id)) {
    const shown = JSON.stringify(id.slice(0, 100));
    throw new Fault(
      "unavailable",
      `saber keeps no entry ${shown}. Those of the Python program are only read.`,
    );
  }
  await printLines(io, [`Removed ${id}.`]);
  return 0;
}
