/**
 * What may be written in a session that is allowed to write: rows, and new or extended tables, views and indexes.
 * Nothing that drops, truncates or administers, and no UPDATE or DELETE of every row.
 */
import { Fault } from "../base/fault.ts";
import { mayAlter, mayCreate } from "./ddl_policy.ts";
import { hasFilter } from "./filter.ts";
import type { Verbs } from "./statement.ts";

/** The verbs that change rows; common table expressions may use them too. */
export const ROW_VERBS = ["INSERT", "UPDATE", "DELETE"];

/**
 * Whether the statement writes; false leaves it to the rules for reading.
 * Throws Fault `not_read_only` for writing that is not allowed.
 */
export function judgeWriting({ statement, readWords, main, inner }: Verbs): boolean {
  const changes = [main, ...inner].filter((at) => ROW_VERBS.includes(statement.word(at)));
  for (const at of changes) {
    if (statement.word(at) !== "INSERT" && !hasFilter(statement, at)) {
      throw refusal(
        `${statement.word(at)} without a condition on its columns changes every row`,
        "Add a WHERE that chooses the rows",
      );
    }
  }
  const word = statement.word(main);
  if (ROW_VERBS.includes(word)) return true;
  if (readWords.includes(word)) return changes.length > 0;
  if (word === "CREATE" && mayCreate(statement, { main, readWords })) return true;
  if (word === "ALTER" && mayAlter(statement, main)) return true;
  const state = word === ""
    ? "it begins with none of the words that are allowed"
    : `this form of ${word.slice(0, 30)} is not allowed`;
  throw refusal(
    state,
    "There are SELECT, INSERT, UPDATE, DELETE, CREATE TABLE, VIEW or INDEX, and ALTER TABLE that adds, renames or retypes",
  );
}

function refusal(state: string, next: string): Fault {
  return new Fault("not_read_only", `Cannot run the statement: ${state}. ${next}.`);
}
