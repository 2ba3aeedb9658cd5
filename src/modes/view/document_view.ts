/**
 * A run as a Markdown document, for pipes and files: the answer's own text, statements in fences, rows as tables.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Shelf } from "../../store/shelf.ts";
import { PLAIN } from "../../term/paint.ts";
import { lines, oneLine } from "../../term/plain_text.ts";
import { loadFormat } from "../../term/registry.ts";
import type { LineWriter } from "../../wire/writer.ts";
import { resultRows } from "./result_rows.ts";
import { errorOf, notesOf, SqlCalls } from "./sql_calls.ts";
import type { View } from "./view.ts";

export interface DocumentViewOptions {
  readonly writer: LineWriter;
  readonly shelf: Shelf;
}

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

/** Rows of a result that stand in the document. */
const SHOWN_ROWS = 100;

export class DocumentView implements View {
  readonly #options: DocumentViewOptions;
  readonly #calls = new SqlCalls();
  /** The line that is being written. */
  #line = "";

  constructor(options: DocumentViewOptions) {
    this.#options = options;
  }

  async show(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "message_update":
        if (event.update.type === "text_delta") await this.#add(event.update.delta);
        if (event.update.type === "text_end") await this.#endText();
        return;
      case "tool_execution_start": {
        const call = this.#calls.begin(event);
        if (call) await this.#write(["```sql", ...lines(call.sql).split("\n"), "```", ""]);
        return;
      }
      case "tool_execution_end":
        return await this.#result(event);
      default:
        return;
    }
  }

  async #add(delta: string): Promise<void> {
    const [first = "", ...rest] = delta.split("\n");
    this.#line += first;
    for (const next of rest) {
      await this.#write([lines(this.#line)]);
      this.#line = next;
    }
  }

  async #endText(): Promise<void> {
    if (this.#line !== "") await this.#write([lines(this.#line)]);
    this.#line = "";
    await this.#write([""]);
  }

  async #result(event: EventOf<"tool_execution_end">): Promise<void> {
    const isSql = this.#calls.end(event) !== undefined;
    if (event.end.isError) return await this.#write([`> ${oneLine(errorOf(event))}`, ""]);
    if (!isSql) return;
    const { queryResult } = event.end;
    const { isMore, affected } = notesOf(event);
    if (queryResult === undefined) return await this.#write([`Rows changed: ${affected ?? "unknown"}.`, ""]);
    const { id, columns, rowCount } = queryResult;
    const format = await loadFormat("markdown");
    const layout = { columns, width: undefined, paint: PLAIN };
    for await (const line of format(resultRows(this.#options.shelf, { id, limit: SHOWN_ROWS }), layout)) {
      await this.#write([line]);
    }
    const shown = rowCount > SHOWN_ROWS ? `, of which the first ${SHOWN_ROWS} are shown` : "";
    const more = isMore ? "; there are more in the database" : "";
    await this.#write(["", `${rowCount.toLocaleString("en-US")} rows${shown}${more}.`, ""]);
  }

  async #write(document: readonly string[]): Promise<void> {
    for (const line of document) await this.#options.writer.write(line);
  }
}
