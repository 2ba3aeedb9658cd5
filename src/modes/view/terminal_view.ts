/**
 * A run at a terminal: the answer as it is written, the SQL in colours, rows as tables that fit, a sign of life while
 * something is waited for.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Shelf } from "../../store/shelf.ts";
import { duration } from "../../term/count_and_time.ts";
import type { Paint } from "../../term/paint.ts";
import { oneLine } from "../../term/plain_text.ts";
import type { Screen } from "../../term/screen.ts";
import { signOfLife } from "../../term/spinner.ts";
import { wrap } from "../../term/wrap.ts";
import { AnswerText } from "./answer_text.ts";
import { callLine, type LineOptions, outcomeLines, statementLines } from "./entry_lines.ts";
import { type SqlCall, SqlCalls } from "./sql_calls.ts";
import { type Outcome, outcomeOf } from "./transcript.ts";
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
    const { screen } = this.#options;
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
        return screen.show({ piece: statementLines({ sql: event.sql, database: undefined }, this.#look) });
      case "tool_execution_start":
        return this.#call(event);
      case "tool_execution_end":
        return await this.#result(event);
      case "agent_end":
        return this.#end(event);
    }
  }

  get #look(): LineOptions {
    const { screen, paint } = this.#options;
    return { columns: screen.columns, paint };
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

  #call({ call }: EventOf<"tool_execution_start">): void {
    const { screen } = this.#options;
    const label = this.#calls.begin(call);
    const statement = this.#calls.find(call.id);
    screen.show({ piece: [] });
    if (label !== undefined) screen.commit([callLine(label, this.#look)]);
    if (statement) screen.commit(statementLines(statement, this.#look));
    this.#wait(statement ? "running" : "looking");
  }

  async #result(event: EventOf<"tool_execution_end">): Promise<void> {
    const call = this.#calls.end(event.end.toolCallId);
    if (call !== undefined || event.end.isError) {
      this.#options.screen.commit(await outcomeLines(await this.#outcome(event, call), this.#look));
    }
    this.#wait("thinking");
  }

  async #outcome({ end }: EventOf<"tool_execution_end">, call: SqlCall | undefined): Promise<Outcome> {
    const ms = performance.now() - (call?.start ?? 0);
    const showing = { shelf: this.#options.shelf, maxRows: SHOWN_ROWS };
    const outcome = await outcomeOf({ ...end, text: end.result }, showing);
    if (outcome.kind !== "rows") return outcome;
    return { ...outcome, rows: { ...outcome.rows, note: `${outcome.rows.note} · ${duration(ms)}` } };
  }

  #end(event: EventOf<"agent_end">): void {
    const { screen, paint } = this.#options;
    clearInterval(this.#timer);
    this.#text.end();
    screen.show({ piece: [], status: "" });
    if (event.status === "aborted") screen.commit([paint("error", "Stopped."), ""]);
    if (event.status === "error") {
      const spans = [{ text: `✗ ${oneLine(event.error)}`, roles: ["error"] as const }];
      screen.commit([...wrap(spans, { width: screen.columns, paint }), ""]);
    }
    if (event.status === "completed") {
      const text = usageLine(event.turn.usage, performance.now() - this.#start);
      screen.commit(wrap([{ text, roles: ["muted"] }], { width: screen.columns, paint }));
    }
  }
}
