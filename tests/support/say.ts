/**
 * Writing to the terminal for programs that are run by a person: the demo and the benchmarks.
 */

/** Writes the text to stdout as it is. */
export function write(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/** Writes the text and ends the line. */
export function say(text: string): void {
  write(`${text}\n`);
}

/** A headline. */
export function title(text: string): void {
  say(`\n== ${text} ==\n`);
}
