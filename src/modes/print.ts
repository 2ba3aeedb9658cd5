/**
 * Lines of a command on stdout, as a table for people or as one JSON value for programs.
 */
import type { App, Io } from "../app.ts";
import { type Json, toJson } from "../base/json.ts";
import { loadFormat } from "../term/registry.ts";
import { paintOf } from "./paint_of.ts";
import { finish, writerOf } from "./writer_of.ts";

export async function printLines(
  io: Io,
  lines: readonly string[],
  options: { readonly isPainted?: boolean } = {},
): Promise<void> {
  const writer = writerOf(io, options);
  for (const line of lines) await writer.write(line);
  await finish(writer);
}

export async function printJson(io: Io, value: Json): Promise<void> {
  await printLines(io, [toJson(value)]);
}

/** Objects that all have these members. */
export async function printTable(
  app: App,
  { io, columns, rows }: {
    io: Io;
    columns: readonly string[];
    rows: readonly { readonly [name: string]: Json }[];
  },
): Promise<void> {
  const { isOutput, size } = io.terminal;
  const paint = await paintOf(app, { isTerminal: isOutput });
  const layout = { columns, width: isOutput ? size().columns : undefined, paint };
  const table = await loadFormat("table");
  await printLines(io, await Array.fromAsync(table(each(rows), layout)), { isPainted: true });
}

async function* each(rows: readonly { readonly [name: string]: Json }[]): AsyncGenerator<string> {
  for (const row of rows) yield toJson(row);
}
