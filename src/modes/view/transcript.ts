/**
 * A saved conversation as what a reader wants of it: questions, answers, statements with their rows. How that looks is for
 * others (lines at a terminal, Markdown, HTML, a notebook).
 */
import type { TranscriptMessage } from "../../agent/events.ts";
import { Fault } from "../../base/fault.ts";
import { elementsOf, membersOf } from "../../base/json_parts.ts";
import type { QueryResult } from "../../store/results.ts";
import type { Shelf } from "../../store/shelf.ts";
import { resultRows } from "./result_rows.ts";
import { errorOf, notesOf, type SqlCall, SqlCalls } from "./sql_calls.ts";

export type Entry =
  | { readonly kind: "question" | "answer"; readonly text: string }
  /** A tool that ran no statement. */
  | { readonly kind: "call"; readonly text: string }
  | { readonly kind: "statement"; readonly call: SqlCall; readonly outcome: Outcome };

export type Outcome =
  | { readonly kind: "rows"; readonly rows: ShownRows }
  | { readonly kind: "changed"; readonly affected: number | undefined }
  | { readonly kind: "error"; readonly text: string };

export interface ShownRows {
  readonly columns: readonly string[];
  /** As JSON objects. */
  readonly rows: readonly string[];
  /** What is to be said of them: how many there are, what is not shown. */
  readonly note: string;
}

/** Where results are kept, and how many rows of each are shown at most. */
export interface Showing {
  readonly shelf: Shelf;
  readonly maxRows: number;
}

type Assistant = Extract<TranscriptMessage, { role: "assistant" }>;

export async function* entriesOf(
  messages: readonly TranscriptMessage[],
  { shelf, maxRows }: Showing,
): AsyncGenerator<Entry> {
  const calls = new SqlCalls();
  for (const message of messages) {
    switch (message.role) {
      case "user":
        yield { kind: "question", text: message.content };
        break;
      case "assistant":
        yield* entriesOfAnswer(message, calls);
        break;
      case "toolResult": {
        const call = calls.end(message.toolCallId);
        if (call) {
          yield {
            kind: "statement",
            call,
            outcome: await outcomeOf({ ...message, text: message.content }, { shelf, maxRows }),
          };
        }
      }
    }
  }
}

function* entriesOfAnswer({ content }: Assistant, calls: SqlCalls): Generator<Entry> {
  for (const block of content) {
    if (block.type === "text" && block.text.trim() !== "") yield { kind: "answer", text: block.text };
    if (block.type !== "toolCall") continue;
    const label = calls.begin(block);
    if (label !== undefined) yield { kind: "call", text: label };
  }
}

/** What a tool answered. */
export interface Answer {
  /** The text that the model saw. */
  readonly text: string;
  readonly isError: boolean;
  readonly queryResult?: QueryResult | undefined;
}

/** What became of a statement. A result that is not kept any more is what the model saw of it. */
export async function outcomeOf(
  { text, isError, queryResult }: Answer,
  { shelf, maxRows }: Showing,
): Promise<Outcome> {
  if (isError) return { kind: "error", text: errorOf(text) };
  const { isMore, affected } = notesOf(text);
  if (queryResult === undefined) {
    return affected === undefined ? previewOf(text) : { kind: "changed", affected };
  }
  const { id, columns, rowCount } = queryResult;
  try {
    const rows = await Array.fromAsync(resultRows(shelf, { id, limit: maxRows }));
    return { kind: "rows", rows: { columns, rows, note: noteOf({ rowCount, shown: rows.length, isMore }) } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return previewOf(text);
  }
}

function previewOf(answer: string): Outcome {
  const head = answer.split("\n", 1)[0] ?? "";
  const members = new Map(head.startsWith("{") ? membersOf(head) : []);
  const rows = elementsOf(members.get("results") ?? members.get("preview_rows") ?? "[]");
  const columns = [...new Set(rows.flatMap((row) => membersOf(row).map(([name]) => name)))];
  return {
    kind: "rows",
    rows: { columns, rows, note: "The result is not kept any more; these rows the model saw." },
  };
}

function noteOf(
  { rowCount, shown, isMore }: { rowCount: number; shown: number; isMore: boolean },
): string {
  const count = `${rowCount.toLocaleString("en-US")} ${rowCount === 1 ? "row" : "rows"}`;
  const hidden = rowCount > shown ? `, of which the first ${shown} are shown` : "";
  return `${count}${hidden}${isMore ? "; there are more in the database" : ""}`;
}
