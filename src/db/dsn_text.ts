/**
 * The text of a server's URL: its percent escapes, its pairs, and what is said of one that cannot be read.
 */
import { Fault } from "../base/fault.ts";
import type { Server } from "./driver.ts";

/** What differs between the servers whose URLs are read. */
export interface Dialing {
  readonly engine: Server["engine"];
  readonly label: string;
  readonly port: number;
}

/** Escapes that are none stay as they are: a password with a bare `%` means that character. */
export function decode(text: string, dialing: Dialing): string {
  try {
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent);
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // falls through to the refusal
  }
  throw malformed(dialing, "its percent escapes are no UTF-8 text");
}

export function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Repeats no part of the URL: a password with unescaped characters can end up in each of them. */
export function malformed(dialing: Dialing, state: string): Fault {
  return new Fault(
    "bad_target",
    `Cannot read the ${dialing.label} URL: ${state}. Write ${dialing.engine}://user:password@host:port/database, ` +
      "with special characters of the password percent-encoded.",
  );
}
