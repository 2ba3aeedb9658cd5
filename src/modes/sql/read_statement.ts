/**
 * Where `saber sql` finds its statement: the argument, a file, or stdin.
 */
import type { Io } from "../../app.ts";
import type { Given } from "../../args.ts";
import { abortable } from "../../base/abortable.ts";
import { Fault } from "../../base/fault.ts";
import { readAll } from "../../base/read_all.ts";
import { shown } from "../../base/shown.ts";

/** The guard takes a million characters, of up to four bytes. */
const MAX_BYTES = 4_000_000;

/** Throws Fault `usage` when there is no statement, or more than one source. */
export async function readStatement({ flags, words }: Given, io: Io): Promise<string> {
  const [word] = words;
  const bounds = { what: "the statement", maxBytes: MAX_BYTES, signal: io.stop };
  if (word !== undefined && flags.file !== undefined) {
    throw new Fault("usage", "Cannot run both the statement and the file. Give one of them.");
  }
  if (flags.file !== undefined) return await readAll(await open(flags.file, io.stop), bounds);
  if (word !== undefined) return word;
  if (io.terminal.isInput) {
    throw new Fault("usage", 'No statement was given. Write saber sql "SELECT …", or use -f FILE.');
  }
  return await readAll(io.input, bounds);
}

/** A named pipe opens when somebody writes to it. */
async function open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  try {
    return (await abortable(Deno.open(path), signal)).readable;
  } catch (error) {
    signal.throwIfAborted();
    const state = error instanceof Deno.errors.NotFound ? "there is no such file" : "it cannot be opened";
    throw new Fault("usage", `Cannot read the statement from ${shown(path)}: ${state}.`);
  }
}
