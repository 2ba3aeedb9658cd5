/**
 * What a view knows of the tools that were called: the text of statements, which database they were for, and when they began.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { membersOf } from "../../base/json_parts.ts";

type ToolCall = Extract<AgentEvent, { type: "tool_execution_start" }>["call"];

export interface SqlCall {
  readonly sql: string;
  /** Where several databases are selected. */
  readonly database: string | undefined;
  /** By performance.now(). */
  readonly start: number;
}

const SQL_TOOL = "execute_sql";

export class SqlCalls {
  readonly #calls = new Map<string, SqlCall>();

  /** Remembers a statement; of any other tool, what it was asked for in a few words. */
  begin({ id, name, argumentsText }: ToolCall): string | undefined {
    const args = parse(argumentsText);
    if (name !== SQL_TOOL) {
      const detail = memberOf(args, "table_pattern") ?? memberOf(args, "query") ?? memberOf(args, "format");
      return detail === undefined ? name : `${name} ${detail}`;
    }
    const sql = memberOf(args, "query") ?? "";
    this.#calls.set(id, { sql, database: memberOf(args, "db_name"), start: performance.now() });
    return undefined;
  }

  /** The statement that this call runs, once it has begun and until it has ended. */
  find(id: string): SqlCall | undefined {
    return this.#calls.get(id);
  }

  /** The statement that has ended. */
  end(id: string): SqlCall | undefined {
    const found = this.#calls.get(id);
    this.#calls.delete(id);
    return found;
  }
}

/** The sentence in a failed tool's answer, or the whole answer where there is none. */
export function errorOf(answer: string): string {
  return memberOf(parse(answer), "error") ?? answer;
}

/** What the answer to a statement says besides its rows. */
export function notesOf(answer: string): { readonly isMore: boolean; readonly affected: number | undefined } {
  const head = answer.split("\n", 1)[0] ?? ""; // tables as CSV follow their line of JSON
  const members = new Map(head.startsWith("{") ? membersOf(head) : []);
  const affected = members.get("affected_rows");
  return {
    isMore: members.get("more_rows_exist") === "true",
    affected: affected === undefined ? undefined : Number(affected),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const member: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof member === "string" ? member : undefined;
}
