/**
 * Rows of a cursor on stdout, in the form that was asked for, and what is to be said of them beside that.
 */
import type { App, Io } from "../../app.ts";
import type { Cursor } from "../../db/driver.ts";
import { DIGITS, rowWriter, uniqueNames } from "../../db/values.ts";
import { countAndTime } from "../../term/count_and_time.ts";
import { type FormatName, loadFormat } from "../../term/registry.ts";
import { paintOf } from "../paint_of.ts";
import { finish, writerOf } from "../writer_of.ts";

export interface Printing {
  readonly app: App;
  readonly io: Io;
  readonly form: FormatName;
  /** When the statement began, by performance.now(). */
  readonly start: number;
  /** Called when there is something to print, or nothing more to wait for. */
  began(): void;
}

/** Reads the cursor to its end, or until nobody reads stdout any more. */
export async function printRows(cursor: Cursor, { app, io, form, start, began }: Printing): Promise<void> {
  const isTerminal = io.terminal.isOutput && form === "table";
  const paint = await paintOf(app, { isTerminal });
  const format = await loadFormat(form);
  const counter = { rows: 0 };
  const layout = {
    columns: uniqueNames(cursor.columns),
    width: isTerminal ? io.terminal.size().columns : undefined,
    paint,
  };
  const writer = writerOf(io, { isPainted: isTerminal });
  let isGone = false;
  writer.broken.then(() => isGone = true);
  for await (const line of format(jsonRows(cursor, counter), layout)) {
    began();
    await writer.write(line);
    if (isGone) return await finish(writer);
  }
  began();
  if (isTerminal && layout.columns.length > 0) {
    await writer.write(paint("muted", countAndTime(counter.rows, performance.now() - start)));
  }
  await finish(writer);
  const note = noteOf(cursor, counter.rows);
  if (note !== undefined && !isGone) io.warn(note);
}

async function* jsonRows(cursor: Cursor, counter: { rows: number }): AsyncGenerator<string> {
  const toText = rowWriter(cursor.columns, DIGITS);
  for await (const batch of cursor.batches) {
    for (const row of batch) {
      counter.rows++;
      yield toText(row);
    }
  }
}

function noteOf({ limit, affected, columns }: Cursor, rows: number): string | undefined {
  if (columns.length === 0) return affected === undefined ? "Done." : `Rows changed: ${affected}.`;
  if (!limit?.truncated) return undefined;
  const shown = `Only the first ${rows.toLocaleString("en-US")} rows are shown, and there are more.`;
  return limit.added ? `${shown} Write a LIMIT of your own to see them.` : shown;
}
