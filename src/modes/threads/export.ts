/**
 * `saber threads export`: a saved conversation as one file that needs nothing else: a web page, Markdown or a notebook.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { printLines } from "../print.ts";
import { htmlOf } from "./export_html.ts";
import { markdownOf } from "./export_markdown.ts";
import { notebookOf } from "./export_notebook.ts";
import { findThread, type FoundThread } from "./find_thread.ts";

export const exportThread: Mode = {
  usage: {
    line: "threads export ID [flags]",
    summary: "Write a saved conversation to a file.",
    flags: ["format", "out"],
    words: 1,
  },
  run,
};

const WRITERS: { readonly [format: string]: (thread: FoundThread) => Promise<string> } = {
  html: htmlOf,
  md: markdownOf,
  ipynb: notebookOf,
};

/** Rows of each result that stand in the file. */
const MAX_ROWS = 100;

async function run(app: App, io: Io): Promise<number> {
  const { format = "html", out } = app.given.flags;
  const write = Object.hasOwn(WRITERS, format) ? WRITERS[format] : undefined;
  if (!write) {
    throw new Fault("usage", `Unknown format '${format}'. There are ${Object.keys(WRITERS).join(", ")}.`);
  }
  const thread = await findThread(app, { maxRows: MAX_ROWS });
  const path = out ?? `thread-${thread.about.id}.${format}`;
  try {
    const text = await write(thread);
    if (path === "-") await printLines(io, [text.replace(/\n$/, "")]);
    else await save(path, text);
  } finally {
    await thread.shelf.close();
  }
  if (path !== "-") await printLines(io, [`Wrote ${path}.`]);
  return 0;
}

async function save(path: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, text);
  } catch (cause) {
    const shown = JSON.stringify(path.slice(0, 200));
    throw new Fault("unavailable", `Cannot write ${shown}: check its folder, or name another with --out.`, {
      cause,
    });
  }
}
