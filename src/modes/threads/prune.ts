/**
 * `saber threads prune`: forgets conversations that nobody has gone on with for a while. Their results go with the next sweep.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { printLines } from "../print.ts";

export const prune: Mode = {
  usage: {
    line: "threads prune [flags]",
    summary: "Forget conversations that nobody has gone on with for so many days.",
    flags: ["days"],
  },
  run,
};

const DEFAULT_DAYS = 30;
const MAX_DAYS = 36_500;
const DAY_MS = 24 * 3600 * 1000;

async function run(app: App, io: Io): Promise<number> {
  const text = app.given.flags.days;
  const days = text === undefined ? DEFAULT_DAYS : Number(text);
  if (text?.trim() === "" || !(days >= 0 && days <= MAX_DAYS)) {
    throw new Fault("usage", `The days must be a number from 0 to ${MAX_DAYS}, not '${text}'.`);
  }
  const store = await app.openThreads();
  const removed = await store.prune(Date.now() - days * DAY_MS);
  await printLines(io, [`Forgot ${removed} ${removed === 1 ? "conversation" : "conversations"}.`]);
  return 0;
}
