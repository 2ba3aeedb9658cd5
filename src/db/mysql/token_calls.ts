/**
 * The functions of a statement by its tokens alone: every name in front of a bracket that is neither a word of the
 * language nor a name that is being defined. It knows no tree, so that a mistake of the parser library hides no call.
 */
import type { Statement } from "../statement.ts";
import type { Call } from "./tree.ts";

/** Words that stand in front of brackets without calling anything. */
const WORDS: ReadonlySet<string> = new Set(
  ("ALL AND ANY AS ASC AGAINST BETWEEN BY CASE COLUMNS CROSS DESC DISTINCT DISTINCTROW DIV DUAL ELSE ESCAPE EXCEPT EXISTS EXPLAIN " +
    "FROM GROUP HAVING IGNORE IN INDEX INTERSECT IS JOIN KEY LATERAL LIKE LIMIT MATERIALIZED NOT OF OFFSET ON OR ORDER OVER " +
    "PARTITION RECURSIVE REGEXP RETURNING RLIKE ROW SELECT SEPARATOR SET SOME STRAIGHT_JOIN THEN UNION USE USING WHEN WHERE WINDOW " +
    "WITH XOR UPDATE " +
    "BIGINT BIT BLOB BOOLEAN DATETIME DECIMAL DOUBLE FLOAT INT INTEGER JSON LONGTEXT MEDIUMTEXT NCHAR NUMERIC REAL SIGNED SMALLINT " +
    "TEXT TINYINT UNSIGNED VARBINARY VARCHAR VECTOR").split(" "),
);

/** Words in front of a table that is named with a list of its columns. */
const BEFORE_TARGET = /^(?:INSERT|INTO|IGNORE|LOW_PRIORITY|HIGH_PRIORITY|DELAYED)$/;

export function tokenCalls(statement: Statement): readonly Call[] {
  const calls: Call[] = [];
  if (/^(?:CREATE|ALTER)$/.test(statement.word(0))) return calls;
  for (let at = 0; at <= statement.last; at++) {
    if (statement.mark(at + 1) !== "(" || !isCalled(statement, at)) continue;
    const isQualified = statement.mark(at - 1) === ".";
    calls.push({
      name: statement.name(at),
      hasArguments: statement.mark(at + 2) !== ")",
      ...isQualified ? { schema: statement.name(at - 2) } : {},
    });
  }
  return calls;
}

function isCalled(statement: Statement, at: number): boolean {
  const kind = statement.tokens[at]?.kind;
  const isQualified = statement.mark(at - 1) === ".";
  if (kind !== "name" && (kind !== "word" || (!isQualified && WORDS.has(statement.word(at))))) return false;
  const first = isQualified ? at - 2 : at;
  const before = statement.word(first - 1);
  // `… AS x (a, b)`, `(…) x (a, b)`: the columns of a derived table
  if (before === "AS" || statement.mark(first - 1) === ")") return false;
  if (BEFORE_TARGET.test(before)) return false;
  // `WITH x (a, b) AS (…)`
  const end = statement.pass(at + 1);
  return !(statement.word(end) === "AS" && statement.mark(end + 1) === "(");
}
