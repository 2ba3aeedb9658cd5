/**
 * The writer of a command's lines to stdout. At a terminal nothing that came from a database, a model or a file's name moves
 * the cursor or reorders what is read; in a pipe every byte stays.
 */
import type { Io } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { lines, painted } from "../term/plain_text.ts";
import { LineWriter, type Sink } from "../wire/writer.ts";

/** `isPainted`: the lines carry colours. */
export function writerOf({ output, terminal }: Io, { isPainted = false } = {}): LineWriter {
  return new LineWriter(terminal.isOutput ? cleaned(output, isPainted ? painted : lines) : output);
}

/** A LineWriter writes whole lines at once. */
function cleaned(sink: Sink, clean: (text: string) => string): Sink {
  return {
    async write(bytes) {
      let rest = new TextEncoder().encode(clean(new TextDecoder().decode(bytes)));
      while (rest.length > 0) rest = rest.subarray(await sink.write(rest));
      return bytes.length;
    },
  };
}

/** Waits until all is written. Throws Fault `unavailable` when it could not be; a reader that has left is no failure. */
export async function finish(writer: LineWriter): Promise<void> {
  await writer.drain();
  if (writer.failure === undefined) return;
  throw new Fault("unavailable", "Cannot print: stdout cannot be written. See that its disk has room.", {
    cause: writer.failure,
  });
}
