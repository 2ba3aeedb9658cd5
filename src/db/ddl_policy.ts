/**
 * Which forms of CREATE and ALTER a session that writes may use: those that make or extend tables, views and indexes.
 */
import type { Statement } from "./statement.ts";

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

/** TABLE, VIEW and INDEX; a body must read, and no table may be replaced, which drops it. `main` is the index of CREATE. */
export function mayCreate(
  statement: Statement,
  { main, readWords }: { main: number; readWords: readonly string[] },
): boolean {
  let at = main + 1;
  const replaces = statement.reads(at, ["OR", "REPLACE"]);
  while (CREATE_MODIFIERS.test(statement.word(at))) at++;
  const made = statement.word(at);
  if (made === "INDEX") return true;
  if (made !== "VIEW" && (made !== "TABLE" || replaces)) return false;
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

/** ALTER TABLE whose actions all add, rename or retype. `main` is the index of ALTER. */
export function mayAlter(statement: Statement, main: number): boolean {
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
