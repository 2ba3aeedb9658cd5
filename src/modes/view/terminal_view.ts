/**
 * A run at a terminal: the answer as it is written, the SQL in colours, rows as tables that fit, a sign of life while
 * something is waited for.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Shelf } from "../../store/shelf.ts";
import { countAndTime } from "../../term/count_and_time.ts";
import type { Paint } from "../../term/paint.ts";
import { oneLine } from "../../term/plain_text.ts";
import { loadFormat } from "../../term/registry.ts";
import type { Screen } from "../../term/screen.ts";
import { signOfLife } from "../../term/spinner.ts";
import { sqlLines } from "../../term/sql.ts";
import { cut } from "../../term/width.ts";
import { AnswerText } from "./answer_text.ts";
import { resultRows } from "./result_rows.ts";
import { callLabel, errorOf, notesOf, type SqlCall, SqlCalls } from "./sql_calls.ts";
import { usageLine } from "./usage_line.ts";
import type { View } from "./view.ts";

export interface TerminalViewOptions {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly shelf: Shelf;
}

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

/** Rows of a result that are shown; the rest is a word away. */
const SHOWN_ROWS = 20;
/** How often what is being written is drawn anew, in milliseconds. */
const DRAW_EVERY_MS = 80;

export class TerminalView implements View {
  readonly #options: TerminalViewOptions;
  readonly #text: AnswerText;
  readonly #calls = new SqlCalls();
  #label = "thinking";
  /** Of the run, by performance.now(). */
  #start = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: TerminalViewOptions) {
    this.#options = options;
    this.#text = new AnswerText(options.screen, options);
  }

  async show(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "agent_start":
        return this.#begin();
      case "queue_update":
        return; // whoever takes what is typed shows it
      case "message_start":
        return this.#wait("thinking");
      case "message_update":
        return this.#update(event);
      case "message_end":
        return this.#text.end();
      case "sql_update":
        return this.#options.screen.show({ piece: this.#sql(event.sql) });
      case "tool_execution_start":
        return this.#call(event);
      case "tool_execution_end":
        return await this.#result(event);
      case "agent_end":
        return this.#end(event);
    }
  }

  #begin(): void {
    this.#start = performance.now();
    this.#wait("thinking");
    this.#timer = setInterval(() => this.#draw(), DRAW_EVERY_MS);
  }

  #wait(label: string): void {
    this.#label = label;
    this.#draw();
  }

  #draw(): void {
    const { screen, paint } = this.#options;
    this.#text.draw();
    const ms = performance.now() - this.#start;
    screen.show({ status: signOfLife({ label: this.#label, ms, paint }) });
  }

  #update({ update }: EventOf<"message_update">): void {
    if (update.type === "text_delta") {
      this.#text.add(update.delta);
      this.#label = "writing";
    } else if (update.type === "toolcall_start") {
      this.#text.end();
      this.#label = "writing SQL";
    }
  }

  #call(event: EventOf<"tool_execution_start">): void {
    const { screen } = this.#options;
    const call = this.#calls.begin(event);
    screen.show({ piece: [] });
    if (call === undefined) this.#note(oneLine(callLabel(event)));
    else {screen.commit([
        ...this.#sql(call.sql),
        ...call.database === undefined ? [] : [this.#muted(`on ${call.database}`)],
      ]);}
    this.#wait(call === undefined ? "looking" : "running");
  }

  async #result(event: EventOf<"tool_execution_end">): Promise<void> {
    const { screen, paint } = this.#options;
    const call = this.#calls.end(event);
    if (event.end.isError) {
      screen.commit([paint("error", cut(`✗ ${oneLine(errorOf(event))}`, screen.columns)), ""]);
    } else if (call !== undefined) screen.commit([...await this.#rows(event, call), ""]);
    this.#wait("thinking");
  }

  async #rows(event: EventOf<"tool_execution_end">, { start }: SqlCall): Promise<string[]> {
    const { screen, shelf, paint } = this.#options;
    const ms = performance.now() - start;
    const { isMore, affected } = notesOf(event);
    const { queryResult } = event.end;
    if (queryResult === undefined) return [this.#muted(`rows changed: ${affected ?? "unknown"}`)];
    const { id, columns, rowCount } = queryResult;
    const format = await loadFormat("table");
    const rows = resultRows(shelf, { id, limit: SHOWN_ROWS });
    const lines = await Array.fromAsync(format(rows, { columns, width: screen.columns, paint }));
    const hidden = rowCount > SHOWN_ROWS ? ` · the first ${SHOWN_ROWS} are shown` : "";
    const more = isMore ? " · there are more in the database" : "";
    return [...lines, this.#muted(`${countAndTime(rowCount, ms)}${hidden}${more}`)];
  }

  #end(event: EventOf<"agent_end">): void {
    const { screen, paint } = this.#options;
    clearInterval(this.#timer);
    this.#text.end();
    screen.show({ piece: [], status: "" });
    if (event.status === "aborted") screen.commit([paint("error", "Stopped."), ""]);
    if (event.status === "error") {
      const words = oneLine(event.error);
      screen.commit([paint("error", `✗ ${words}`), ""]);
    }
    if (event.status === "completed") {
      screen.commit([this.#muted(usageLine(event.turn.usage, performance.now() - this.#start))]);
    }
  }

  #sql(sql: string): string[] {
    const { screen, paint } = this.#options;
    const bar = paint("accent", "▌ ");
    return sqlLines(sql, { width: screen.columns - 2, paint }).map((line) => bar + line);
  }

  #note(text: string): void {
    this.#options.screen.commit([this.#muted(`· ${text}`)]);
  }

  #muted(text: string): string {
    const { screen, paint } = this.#options;
    return paint("muted", cut(text, screen.columns));
  }
}
