/**
 * `saber threads import`: takes conversations of the Python program over. Its file is only read.
 */
import type { App, Io, Mode } from "../../app.ts";
import { printLines } from "../print.ts";

export const importThreads: Mode = {
  usage: {
    line: "threads import [ID]",
    summary: "Take conversations of the Python program over: one, or all that are new.",
    flags: [],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const added = await app.importThreads(app.given.words[0]);
  await printLines(io, [`Imported ${added} ${added === 1 ? "conversation" : "conversations"}.`]);
  return 0;
}
