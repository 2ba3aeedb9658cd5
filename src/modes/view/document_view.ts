/**
 * A run as a Markdown document, for pipes and files: the answer's own text, statements in fences, rows as tables.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Shelf } from "../../store/shelf.ts";
import { lines } from "../../term/plain_text.ts";
import type { LineWriter } from "../../wire/writer.ts";
import { outcomeMarkdown, sqlFence } from "./entry_markdown.ts";
import { SqlCalls } from "./sql_calls.ts";
import { outcomeOf } from "./transcript.ts";
import type { View } from "./view.ts";

export interface DocumentViewOptions {
  readonly writer: LineWriter;
  readonly shelf: Shelf;
}

type ToolEnd = Extract<AgentEvent, { type: "tool_execution_end" }>["end"];

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
        this.#calls.begin(event.call);
        const statement = this.#calls.find(event.call.id);
        if (statement) await this.#write(sqlFence(statement.sql));
        return;
      }
      case "tool_execution_end": {
        const isStatement = this.#calls.end(event.end.toolCallId) !== undefined;
        if (isStatement || event.end.isError) await this.#outcome(event.end);
        return;
      }
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

  async #outcome(end: ToolEnd): Promise<void> {
    const showing = { shelf: this.#options.shelf, maxRows: SHOWN_ROWS };
    await this.#write(await outcomeMarkdown(await outcomeOf({ ...end, text: end.result }, showing)));
  }

  async #write(document: readonly string[]): Promise<void> {
    for (const line of document) await this.#options.writer.write(line);
  }
}
