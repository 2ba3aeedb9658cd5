/**
 * Whether a statement that may change data is to be run: said beforehand, or asked at the terminal.
 */
import type { Io } from "../../app.ts";
import type { Given } from "../../args.ts";
import { Fault } from "../../base/fault.ts";
import { askLine } from "../../term/ask_line.ts";

/** Throws Fault `usage` where nobody can be asked. */
export async function confirmed({ flags, words }: Given, io: Io): Promise<boolean> {
  if (flags.yes) return true;
  const canAsk = io.terminal.isInput && (words.length > 0 || flags.file !== undefined);
  if (!canAsk) {
    throw new Fault(
      "usage",
      "Cannot ask whether to run a statement that may change data: there is no terminal. Add --yes.",
    );
  }
  const question = "The statement may change data. Type yes to run it:";
  const answer = await askLine(question, { input: io.input, warn: io.warn, signal: io.stop });
  return /^y(?:es)?$/i.test(answer);
}
