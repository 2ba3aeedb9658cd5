/**
 * `saber threads show`: a saved conversation, as it looked at the terminal, or as Markdown in a pipe.
 */
import type { App, Io, Mode } from "../../app.ts";
import { paintOf } from "../paint_of.ts";
import { printLines } from "../print.ts";
import { entryLines } from "../view/entry_lines.ts";
import { findThread } from "./find_thread.ts";
import { markdownOf } from "../export/markdown.ts";

export const show: Mode = {
  usage: { line: "threads show ID", summary: "Show a saved conversation.", flags: [], words: 1 },
  run,
};

const SHOWN_ROWS = 20;

async function run(app: App, io: Io): Promise<number> {
  const thread = await findThread(app, { maxRows: SHOWN_ROWS });
  try {
    if (!io.terminal.isOutput) {
      await printLines(io, [await markdownOf(thread)]);
      return 0;
    }
    const options = { columns: io.terminal.size().columns, paint: await paintOf(app, { isTerminal: true }) };
    for (const entry of thread.entries) {
      await printLines(io, await entryLines(entry, options), { isPainted: true });
    }
    return 0;
  } finally {
    await thread.shelf.close();
  }
}
