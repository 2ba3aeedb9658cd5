/**
 * `saber "question"`: the agent at a terminal, in a pipe or in a script.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { readQuestion } from "./read_question.ts";

export const ask: Mode = {
  usage: {
    line: '["QUESTION"] [flags]',
    summary:
      "Ask about your data: one question, or in conversation at a terminal. In a pipe it is read from stdin.",
    flags: [
      "database",
      "model",
      "key-file",
      "thread",
      "continue",
      "no-thread",
      "thinking",
      "no-thinking",
      "allow-dangerous",
      "output",
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
  const question = await readQuestion(app, io);
  const thread = app.given.flags.continue ? await latestThread(app) : app.config.thread;
  const { isInput, isOutput, isStatus } = io.terminal;
  const ready = isInput && isOutput && isStatus
    ? await (await import("./onboarding.ts")).welcome(app, io)
    : app;
  if (question !== undefined) {
    const { askOnce } = await import("./one_shot.ts");
    return await askOnce(ready, { io, question, thread });
  }
  const { talk } = await import("./interactive.ts");
  return await talk(ready, io, { thread });
}

async function latestThread(app: App): Promise<string> {
  const [latest] = (await app.openThreads()).list(1);
  if (latest) return latest.id;
  throw new Fault(
    "unavailable",
    "Cannot go on with the latest thread: none is saved yet. Ask without --continue.",
  );
}
