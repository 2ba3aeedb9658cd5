/**
 * A run for scripts: its outcome as one JSON object, or the rows of its last statement in another form.
 */
import type { AgentEvent, RunUsage } from "../../agent/events.ts";
import { toJson } from "../../base/json.ts";
import { Fault } from "../../base/fault.ts";
import type { QueryResult } from "../../store/results.ts";
import type { Shelf } from "../../store/shelf.ts";
import { PLAIN } from "../../term/paint.ts";
import { type FormatName, loadFormat } from "../../term/registry.ts";
import type { LineWriter } from "../../wire/writer.ts";
import { resultRows } from "../view/result_rows.ts";
import { SqlCalls } from "../view/sql_calls.ts";
import type { View } from "../view/view.ts";

export interface ScriptViewOptions {
  readonly writer: LineWriter;
  readonly shelf: Shelf;
  readonly form: FormatName;
  /** The thread in which the turn was saved. */
  threadId(): string | null;
}

interface Answered {
  readonly sql: string;
  readonly result: QueryResult;
}

export class ScriptView implements View {
  readonly #options: ScriptViewOptions;
  readonly #calls = new SqlCalls();
  readonly #answered: Answered[] = [];

  constructor(options: ScriptViewOptions) {
    this.#options = options;
  }

  async show(event: AgentEvent): Promise<void> {
    if (event.type === "tool_execution_start") this.#calls.begin(event.call);
    if (event.type === "tool_execution_end") {
      const sql = this.#calls.end(event.end.toolCallId)?.sql;
      const result = event.end.queryResult;
      if (sql !== undefined && result) this.#answered.push({ sql, result });
    }
    if (event.type !== "agent_end" || event.status !== "completed") return;
    if (this.#options.form === "json") await this.#writeObject(event.turn);
    else await this.#writeRows();
  }

  async #writeObject({ text, usage }: { text: string; usage: RunUsage }): Promise<void> {
    const { writer } = this.#options;
    const head = toJson({ text, usage: { ...usage }, thread_id: this.#options.threadId() });
    await writer.write(`${head.slice(0, -1)},"queries":[`);
    for (const [index, { sql, result }] of this.#answered.entries()) {
      const { columns, rowCount, databaseName } = result;
      const about = toJson({ sql, database: databaseName, columns, row_count: rowCount });
      await writer.write(`${about.slice(0, -1)},"rows":`);
      await this.#write(result, "json");
      await writer.write(index === this.#answered.length - 1 ? "}" : "},");
    }
    await writer.write("]}");
  }

  async #writeRows(): Promise<void> {
    const last = this.#answered.at(-1);
    if (last === undefined) {
      throw new Fault(
        "unavailable",
        "Cannot print the rows: the answer needed no statement. Use --output json or markdown for its text.",
      );
    }
    await this.#write(last.result, this.#options.form);
  }

  async #write({ id, columns, rowCount }: QueryResult, form: FormatName): Promise<void> {
    const { writer, shelf } = this.#options;
    const format = await loadFormat(form);
    const layout = { columns, width: undefined, paint: PLAIN };
    for await (const line of format(resultRows(shelf, { id, limit: rowCount }), layout)) {
      await writer.write(line);
    }
  }
}
