/**
 * An entry of a conversation as lines for a terminal.
 */
import type { Paint } from "../../term/paint.ts";
import { lines, oneLine } from "../../term/plain_text.ts";
import { markdownLines } from "../../term/markdown.ts";
import { loadFormat } from "../../term/registry.ts";
import { sqlLines } from "../../term/sql.ts";
import { cut } from "../../term/width.ts";
import { wrap } from "../../term/wrap.ts";
import type { SqlCall } from "./sql_calls.ts";
import type { Entry, Outcome, ShownRows } from "./transcript.ts";

export interface LineOptions {
  readonly columns: number;
  readonly paint: Paint;
}

/** On wider windows lines of prose are hard to follow. */
const MAX_PROSE = 100;

/** An empty line stands behind each entry. */
export async function entryLines(entry: Entry, options: LineOptions): Promise<string[]> {
  switch (entry.kind) {
    case "question":
      return questionLines(entry.text, options);
    case "answer":
      return [...answerLines(entry.text, options), ""];
    case "call":
      return [callLine(entry.text, options)];
    case "statement":
      return [...statementLines(entry.call, options), ...await outcomeLines(entry.outcome, options)];
  }
}

export function questionLines(text: string, { columns, paint }: LineOptions): string[] {
  const first = paint("accent", "❯ ");
  const width = Math.max(1, Math.min(MAX_PROSE, columns) - 2);
  return [
    ...wrap([{ text: lines(text), roles: ["strong"] }], { width, paint }).map((line) => first + line),
    "",
  ];
}

export function answerLines(markdown: string, { columns, paint }: LineOptions): string[] {
  return markdownLines(markdown, { width: Math.min(MAX_PROSE, columns), paint });
}

export function callLine(text: string, { columns, paint }: LineOptions): string {
  return paint("muted", cut(`· ${oneLine(text)}`, columns));
}

/** The statement, and the database where several are selected. */
export function statementLines(
  { sql, database }: Pick<SqlCall, "sql" | "database">,
  options: LineOptions,
): string[] {
  const { columns, paint } = options;
  const bar = paint("accent", "▌ ");
  const found = sqlLines(sql, { width: Math.max(1, columns - 2), paint }).map((line) => bar + line);
  return database === undefined ? found : [...found, paint("muted", cut(`on ${oneLine(database)}`, columns))];
}

export async function outcomeLines(outcome: Outcome, options: LineOptions): Promise<string[]> {
  const { columns, paint } = options;
  switch (outcome.kind) {
    case "error":
      return [
        ...wrap([{ text: `✗ ${oneLine(outcome.text)}`, roles: ["error"] }], { width: columns, paint }),
        "",
      ];
    case "changed":
      return [paint("muted", `rows changed: ${outcome.affected ?? "unknown"}`), ""];
    case "rows":
      return [...await rowLines(outcome.rows, options), ""];
  }
}

async function rowLines(
  { columns: names, rows, note }: ShownRows,
  { columns: width, paint }: LineOptions,
): Promise<string[]> {
  const table = await loadFormat("table");
  const found = await Array.fromAsync(table(each(rows), { columns: names, width, paint }));
  return [...found, ...wrap([{ text: note, roles: ["muted"] }], { width, paint })];
}

async function* each(rows: readonly string[]): AsyncGenerator<string> {
  yield* rows;
}
