/**
 * What may be written in a session that is allowed to write: rows, and new or extended tables, views and indexes.
 * Nothing that drops, truncates or administers, and no UPDATE or DELETE of every row.
 */
import { Fault } from "../base/fault.ts";
import { hasFilter } from "./filter.ts";
import type { Statement, Verbs } from "./statement.ts";

/** The verbs that change rows; common table expressions may use them too. */
export const ROW_VERBS = ["INSERT", "UPDATE", "DELETE"];

/** What may stand between CREATE and what it makes. */
const CREATE_MODIFIERS =
  /^(?:OR|REPLACE|TEMP|TEMPORARY|GLOBAL|LOCAL|UNLOGGED|VIRTUAL|RECURSIVE|MATERIALIZED|UNIQUE|FULLTEXT|SPATIAL)$/;

/** The actions of ALTER TABLE, by the words they begin with; `*` is a column's name. */
const ALTER_ACTIONS = [
  "ADD",
  "RENAME",
  "MODIFY",
  "CHANGE",
  "ALTER * TYPE",
  "ALTER * SET DATA TYPE",
  "ALTER * SET DEFAULT",
  "ALTER * SET NOT NULL",
  "ALTER * DROP DEFAULT",
  "ALTER * DROP NOT NULL",
].map((words) => words.split(" "));

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

function mayCreate(
  statement: Statement,
  { main, readWords }: { main: number; readWords: readonly string[] },
): boolean {
  let at = main + 1;
  while (CREATE_MODIFIERS.test(statement.word(at))) at++;
  const made = statement.word(at);
  if (made === "INDEX") return true;
  if (made !== "TABLE" && made !== "VIEW") return false;
  const body = findBody(statement, { from: at, readWords });
  if (statement.word(body) !== "AS") return made === "TABLE";
  const begins = statement.word(statement.unwrap(body + 1));
  return readWords.includes(begins) || (made === "TABLE" && begins === "TABLE");
}

/** Index of the first AS, or verb that reads, outside of brackets. */
function findBody(
  statement: Statement,
  { from, readWords }: { from: number; readWords: readonly string[] },
): number {
  let at = from;
  while (at <= statement.last && statement.word(at) !== "AS" && !readWords.includes(statement.word(at))) {
    at = Math.max(statement.pass(at), at + 1);
  }
  return at;
}

function mayAlter(statement: Statement, main: number): boolean {
  if (statement.word(main + 1) !== "TABLE") return false;
  let at = main + 2;
  if (statement.reads(at, ["IF", "EXISTS"])) at += 2;
  if (statement.word(at) === "ONLY") at++;
  if (!statement.canBeName(at)) return false;
  while (statement.mark(at + 1) === ".") at += 2;
  if (statement.mark(at + 1) === "*") at++;
  if (++at > statement.last) return false;
  for (; at <= statement.last; at++) {
    const begin = at;
    if (!ALTER_ACTIONS.some((words) => beginsAction(statement, { begin, words }))) return false;
    while (at <= statement.last && statement.mark(at) !== ",") at = Math.max(statement.pass(at), at + 1);
  }
  return true;
}

function beginsAction(
  statement: Statement,
  { begin, words: [verb = "", ...more] }: { begin: number; words: readonly string[] },
): boolean {
  if (statement.word(begin) !== verb) return false;
  if (more.length === 0) return statement.word(begin + 1) !== "PARTITION";
  const name = begin + (statement.word(begin + 1) === "COLUMN" ? 2 : 1);
  return statement.canBeName(name) && statement.reads(name + 1, more.slice(1));
}
