/**
 * Clauses that make a SELECT write or lock, wherever they stand. What a statement begins with is policy.ts's.
 */
import { Fault } from "../base/fault.ts";
import type { Statement } from "./statement.ts";

/** Throws Fault `not_read_only`. */
export function refuseClauses(statement: Statement, readWords: readonly string[]): void {
  for (const at of statement.keywords("INTO")) {
    if (!isUnpivot(statement, at) && !isInsert(statement, at)) {
      throw clauseRefusal("SELECT … INTO writes", "Leave INTO out");
    }
  }
  for (const at of statement.keywords("FOR")) {
    const locks = /^(?:UPDATE|SHARE|KEY)$/.test(statement.word(at + 1)) ||
      statement.reads(at + 1, ["NO", "KEY"]);
    if (locks && isInQuery(statement, { at, readWords })) {
      throw clauseRefusal("FOR UPDATE and FOR SHARE lock rows", "Leave them out");
    }
  }
  for (const at of statement.keywords("LOCK")) {
    if (statement.reads(at, ["LOCK", "IN", "SHARE", "MODE"])) {
      throw clauseRefusal("LOCK IN SHARE MODE locks rows", "Leave it out");
    }
  }
}

function clauseRefusal(state: string, next: string): Fault {
  return new Fault("not_read_only", `Cannot run the statement: ${state}. ${next}.`);
}

/** `FROM (UNPIVOT t ON … INTO NAME n VALUE v)` (DuckDB). */
function isUnpivot(statement: Statement, at: number): boolean {
  return statement.word((statement.tokens[at]?.within ?? -1) + 1) === "UNPIVOT";
}

/** `INSERT INTO`, with up to three words between. Whether INSERT may be run at all is decided by its place as a verb. */
function isInsert(statement: Statement, at: number): boolean {
  let before = at - 1;
  while (
    before > at - 4 &&
    /^(?:OR|REPLACE|IGNORE|ABORT|FAIL|ROLLBACK|LOW_PRIORITY|HIGH_PRIORITY|DELAYED)$/.test(
      statement.word(before),
    )
  ) before--;
  return statement.word(before) === "INSERT";
}

/** Not in the arguments of a function, such as `substring(a FOR share)`, where a column may have such a name. */
function isInQuery(
  statement: Statement,
  { at, readWords }: { at: number; readWords: readonly string[] },
): boolean {
  const begin = (statement.tokens[at]?.within ?? -1) + 1;
  return begin === 0 || readWords.includes(statement.word(statement.unwrap(begin)));
}
