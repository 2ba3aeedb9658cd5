/**
 * What EXPLAIN explains, in the forms of all dialects that only plan. What may be explained is policy.ts's.
 */
import { Fault } from "../base/fault.ts";
import type { Statement } from "./statement.ts";

/** Options of EXPLAIN that don't run the statement. */
const EXPLAIN_OPTIONS =
  /^(?:VERBOSE|COSTS|SETTINGS|GENERIC_PLAN|BUFFERS|WAL|TIMING|SUMMARY|MEMORY|SERIALIZE|FORMAT)$/;

/** Index of the explained statement. `ANALYZE`, which would run it, is refused in every spelling. */
export function afterExplain(statement: Statement): number {
  if (statement.reads(1, ["QUERY", "PLAN"])) return 3;
  if (statement.mark(1) === "(" && EXPLAIN_OPTIONS.test(statement.word(2))) return afterOptions(statement);
  let at = 1;
  while (/^(?:VERBOSE|EXTENDED|PARTITIONS)$/.test(statement.word(at))) at++;
  // MySQL: FORMAT = JSON
  return statement.word(at) === "FORMAT" && statement.mark(at + 1) === "=" ? at + 3 : at;
}

function afterOptions(statement: Statement): number {
  const end = statement.pass(1);
  for (let at = 2; at < end - 1; at++) {
    const beginsOption = /^[(,]$/.test(statement.mark(at - 1));
    const isPlain = !beginsOption || EXPLAIN_OPTIONS.test(statement.word(at));
    if (!isPlain || statement.tokens[at]?.kind === "name") {
      throw new Fault(
        "not_read_only",
        "Cannot run the statement: EXPLAIN has an option that is not allowed. Leave ANALYZE and unknown options out.",
      );
    }
  }
  return end;
}
