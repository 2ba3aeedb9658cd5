/**
 * What the conversation has written to databases from some point on: it stays written when the conversation goes back.
 */
import type { AnyPlace } from "./entries.ts";
import type { OmpMessage } from "./messages.ts";
import { messageOf } from "./session_tree.ts";

const WRITES = /^(?:insert|update|delete|merge|create|alter)\b|^with\b[^]*\b(?:insert|update|delete)\b/i;
/** Statements that are named one by one, and characters of each. */
const MAX_STATEMENTS = 10;
const MAX_CHARACTERS = 200;

/** A sentence for the person; undefined where nothing was written. */
export function staysWritten(entries: readonly AnyPlace[]): string | undefined {
  const written = writtenIn(entries.flatMap(messageOf));
  if (written.length === 0) return undefined;
  const shown = written.slice(0, MAX_STATEMENTS).map((sql) => sql.slice(0, MAX_CHARACTERS));
  const rest = written.length - shown.length;
  return [
    "What was written after this point stays written:",
    ...shown,
    ...rest > 0 ? [`and ${rest} more`] : [],
  ]
    .join("\n");
}

/** The statements that changed something. */
export function writtenIn(messages: readonly OmpMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role !== "toolResult" || message.isError || message.details === undefined) return [];
    const { sql } = detailsOf(message.details.text);
    return sql !== undefined && WRITES.test(sql.trimStart()) ? [sql] : [];
  });
}

function detailsOf(text: string): { readonly sql?: string } {
  const value: unknown = JSON.parse(text);
  const isTold = typeof value === "object" && value !== null && "sql" in value;
  return isTold && typeof value.sql === "string" ? { sql: value.sql } : {};
}
