/**
 * A tool's answer as the CSV text that an MCP client asked for, within the bound that holds for its JSON too.
 */
import { Fault } from "../../base/fault.ts";
import { csvText } from "../../tools/csv_text.ts";

const encoder = new TextEncoder();

/** Throws Fault `too_large` when the text has more UTF-8 bytes; it is never cut. */
export function csvResult(json: string, maxBytes: number): string {
  const text = csvText(json);
  const size = encoder.encode(text).length;
  if (size <= maxBytes) return text;
  const [has, may] = [size, maxBytes].map((bytes) => `${bytes.toLocaleString("en-US")} bytes`);
  throw new Fault(
    "too_large",
    `Cannot return the result as CSV: it has ${has}, and at most ${may} are allowed. ` +
      "Ask for fewer rows, columns or tables.",
  );
}
