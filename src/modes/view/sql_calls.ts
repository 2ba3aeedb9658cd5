/**
 * What a view knows of the statements of a run: their text, which database they were for, and when they began.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { membersOf } from "../../base/json_parts.ts";

type Start = Extract<AgentEvent, { type: "tool_execution_start" }>;
type End = Extract<AgentEvent, { type: "tool_execution_end" }>;

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

  /** The call, when it runs a statement. */
  begin({ call, args }: Start): SqlCall | undefined {
    if (call.name !== SQL_TOOL) return undefined;
    const found = {
      sql: memberOf(args, "query") ?? "",
      database: memberOf(args, "db_name"),
      start: performance.now(),
    };
    this.#calls.set(call.id, found);
    return found;
  }

  /** The call whose end this is. */
  end({ end }: End): SqlCall | undefined {
    const found = this.#calls.get(end.toolCallId);
    this.#calls.delete(end.toolCallId);
    return found;
  }
}

/** What a tool that is no statement was asked for, in a few words. */
export function callLabel({ call, args }: Start): string {
  const detail = memberOf(args, "table_pattern") ?? memberOf(args, "query") ?? memberOf(args, "format");
  return detail === undefined ? call.name : `${call.name} ${detail}`;
}

/** The sentence of a tool that failed, or the whole answer where it has none. */
export function errorOf({ end }: End): string {
  try {
    return memberOf(JSON.parse(end.result), "error") ?? end.result;
  } catch {
    return end.result;
  }
}

/** What the answer to a statement says besides its rows. */
export function notesOf({ end }: End): { readonly isMore: boolean; readonly affected: number | undefined } {
  const head = end.result.split("\n", 1)[0] ?? ""; // tables as CSV follow their line of JSON
  const members = new Map(head.startsWith("{") ? membersOf(head) : []);
  const affected = members.get("affected_rows");
  return {
    isMore: members.get("more_rows_exist") === "true",
    affected: affected === undefined ? undefined : Number(affected),
  };
}

function memberOf(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null || !(name in value)) return undefined;
  const member: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof member === "string" ? member : undefined;
}
