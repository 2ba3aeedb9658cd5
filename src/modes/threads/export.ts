/**
 * `saber threads export`: a saved conversation as one file that needs nothing else: a web page, Markdown or a notebook.
 */
import type { App, Io, Mode } from "../../app.ts";
import { printLines } from "../print.ts";
import { EXPORTED_ROWS, exporter, writeExport } from "../export/formats.ts";
import { findThread } from "./find_thread.ts";

export const exportThread: Mode = {
  usage: {
    line: "threads export ID [flags]",
    summary: "Write a saved conversation to a file.",
    flags: ["format", "out"],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { format = "html", out } = app.given.flags;
  const write = exporter(format);
  const thread = await findThread(app, { maxRows: EXPORTED_ROWS });
  const path = out ?? `thread-${thread.about.id}.${format}`;
  try {
    const text = await write(thread);
    if (path === "-") await printLines(io, [text.replace(/\n$/, "")]);
    else await writeExport(path, text);
  } finally {
    await thread.shelf.close();
  }
  if (path !== "-") await printLines(io, [`Wrote ${path}.`]);
  return 0;
}
