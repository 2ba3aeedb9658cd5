/**
 * `saber threads resume`: goes on with a saved conversation at the terminal.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { talk } from "./interactive.ts";

export const resume: Mode = {
  usage: {
    line: "threads resume ID [flags]",
    summary: "Go on with a saved conversation at the terminal.",
    flags: [
      "database",
      "model",
      "thinking",
      "no-thinking",
      "allow-dangerous",
      "timeout",
      "system-prompt",
      "csv-tool-results",
      "no-csv-tool-results",
    ],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const [thread] = app.given.words;
  if (thread === undefined) throw new Fault("usage", "Which thread? 'saber threads list' shows their ids.");
  if (!io.terminal.isInput || !io.terminal.isOutput) {
    throw new Fault("usage", `Cannot go on here: there is no terminal. Write saber --thread ${thread} "…".`);
  }
  return await talk(app, io, { thread });
}
