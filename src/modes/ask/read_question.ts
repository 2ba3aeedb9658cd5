/**
 * Where the question comes from: the command line, or stdin when that is no terminal.
 */
import type { App, Io } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { readAll } from "../../base/read_all.ts";

const MAX_BYTES = 1 << 20;

/** Undefined when a person sits at the terminal and has asked nothing yet. Throws Fault `usage` for an empty question. */
export async function readQuestion({ given }: App, io: Io): Promise<string | undefined> {
  const [word] = given.words;
  const { isInput, isOutput, isStatus } = io.terminal;
  if (word === undefined && isInput && isOutput && isStatus) return undefined;
  if (word === undefined && isInput) throw nothingAsked();
  const text = word ??
    await readAll(io.input, { what: "the question", maxBytes: MAX_BYTES, signal: io.stop });
  if (text.trim() !== "") return text.trim();
  throw nothingAsked();
}

function nothingAsked(): Fault {
  return new Fault(
    "usage",
    "No question was given. Write saber \"…\", pipe one in, or run 'saber --help' for the commands.",
  );
}
