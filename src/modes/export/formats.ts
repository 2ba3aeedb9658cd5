/**
 * The files that a conversation can become, and writing them.
 */
import { Fault } from "../../base/fault.ts";
import type { ExportedThread } from "./document.ts";
import { htmlOf } from "./html.ts";
import { markdownOf } from "./markdown.ts";
import { notebookOf } from "./notebook.ts";

const FORMATS: { readonly [name: string]: (thread: ExportedThread) => Promise<string> } = {
  html: htmlOf,
  md: markdownOf,
  ipynb: notebookOf,
};

/** Rows of each result that stand in the file. */
export const EXPORTED_ROWS = 100;

/** Throws Fault `usage` for a format that does not exist. */
export function exporter(format: string): (thread: ExportedThread) => Promise<string> {
  const found = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (found) return found;
  throw new Fault("usage", `Unknown format '${format}'. There are ${Object.keys(FORMATS).join(", ")}.`);
}

/** Throws Fault `unavailable`. */
export async function writeExport(path: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, text);
  } catch (cause) {
    const shown = JSON.stringify(path.slice(0, 200));
    throw new Fault("unavailable", `Cannot write ${shown}: check its folder, or name another file.`, {
      cause,
    });
  }
}
