/**
 * Bytes of a child's output as lines.
 */
import { GoneError } from "./errors.ts";

/** Longest line in UTF-16 units; a page of rows is at most 8 MiB, a whole conversation may be more. */
const MAX_LINE = 256 << 20;

/** Splits at LF alone; nothing is read ahead of who takes the lines. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    pieces.push(first);
    size += first.length;
    for (const piece of rest) {
      yield pieces.join("");
      pieces = [piece];
      size = piece.length;
    }
    if (size > MAX_LINE) {
      throw new GoneError(`Cannot read from saber: a line is longer than ${MAX_LINE} characters.`);
    }
  }
  if (size > 0) yield pieces.join("");
}
