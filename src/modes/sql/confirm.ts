/**
 * Whether a statement that may change data is to be run: said beforehand, or asked at the terminal.
 */
import type { Io } from "../../app.ts";
import type { Given } from "../../args.ts";
import { Fault } from "../../base/fault.ts";
import { askingAt } from "../asking_at.ts";

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
  using asking = askingAt(io);
  const answer = await asking.ask("The statement may change data. Type yes to run it:");
  return /^y(?:es)?$/i.test(answer);
}
