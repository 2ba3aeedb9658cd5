/**
 * The questions of a command, put to the person at its terminal.
 */
import type { Io } from "../app.ts";
import { Asking } from "../term/ask_line.ts";

export function askingAt({ input, terminal, stop }: Io): Asking {
  return new Asking({ input, write: terminal.writeStatus, setRaw: terminal.setRaw, signal: stop });
}
