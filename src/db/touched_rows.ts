/**
 * Which rows a statement would change, as a SELECT that counts them: read off its tokens, in the plain forms of INSERT,
 * UPDATE and DELETE. Of other forms nothing is said. It runs nothing.
 */
import type { Lexis } from "./driver.ts";
import { Statement } from "./statement.ts";

export interface TouchedRows {
  /** The table as the statement spells it. */
  readonly table: string;
  /** How many rows, where that needs no question, or a statement that counts them; neither where that is not known. */
  readonly count?: number | string;
}

/** What may stand between the verb and the table. */
const BEFORE_TABLE =
  /^(?:OR|REPLACE|IGNORE|ABORT|FAIL|ROLLBACK|LOW_PRIORITY|HIGH_PRIORITY|DELAYED|QUICK|INTO|FROM|ONLY)$/;
/** What follows the table, so that it is no other name of it. */
const AFTER_TABLE =
  /^(?:SET|WHERE|VALUES|DEFAULT|SELECT|WITH|USING|RETURNING|OVERRIDING|FROM|JOIN|ORDER|LIMIT)$/;
/** Words before a bracket that call nothing, and functions that do no more than tell. */
const HARMLESS = new Set([
  ...[
    "IN",
    "AND",
    "OR",
    "NOT",
    "EXISTS",
    "ANY",
    "ALL",
    "SOME",
    "WHERE",
    "SELECT",
    "FROM",
    "JOIN",
    "ON",
    "AS",
    "WHEN",
  ],
  ...[
    "THEN",
    "ELSE",
    "BETWEEN",
    "LIKE",
    "HAVING",
    "BY",
    "VALUES",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "OVER",
    "FILTER",
  ],
  ...[
    "USING",
    "CAST",
    "LOWER",
    "UPPER",
    "LENGTH",
    "ABS",
    "ROUND",
    "COALESCE",
    "NULLIF",
    "DATE",
    "TRIM",
    "SUBSTR",
  ],
  ...[
    "SUBSTRING",
    "EXTRACT",
    "NOW",
    "STRFTIME",
    "DATE_TRUNC",
    "YEAR",
    "MONTH",
    "DAY",
    "COUNT",
    "SUM",
    "MIN",
    "MAX",
  ],
  ...["AVG", "ROW_NUMBER", "RANK", "CONCAT", "REPLACE"],
]);

/** Undefined for a statement of another kind. Throws what dividing it into tokens throws. */
export function touchedRows(sql: string, lexis: Lexis): TouchedRows | undefined {
  const statement = new Statement(sql, lexis);
  const verb = statement.word(0);
  if (!/^(?:INSERT|UPDATE|DELETE)$/.test(verb)) return undefined;
  let at = 1;
  while (BEFORE_TABLE.test(statement.word(at))) at++;
  const named = nameFrom(statement, at);
  if (named === undefined) return undefined;
  const table = textOf(statement, { from: at, to: named });
  const count = verb === "INSERT"
    ? inserted(statement, named + 1)
    : chosen(statement, { from: at, after: passAlias(statement, named + 1) });
  return count === undefined ? { table } : { table, count };
}

/** Index of the last token of a name with its qualifiers. */
function nameFrom(statement: Statement, from: number): number | undefined {
  let at = from;
  while (statement.canBeName(at)) {
    if (statement.mark(at + 1) !== ".") return at;
    at += 2;
  }
  return undefined;
}

function passAlias(statement: Statement, from: number): number {
  const at = statement.word(from) === "AS" ? from + 1 : from;
  return statement.canBeName(at) && !AFTER_TABLE.test(statement.word(at)) ? at + 1 : from;
}

/** The rows of one table that an UPDATE or DELETE chooses by its condition. */
function chosen(
  statement: Statement,
  { from, after }: { readonly from: number; readonly after: number },
): string | undefined {
  const outer = (word: string) => outside(statement, { word, from: after });
  if (["FROM", "USING", "JOIN", "ORDER", "LIMIT"].some((word) => outer(word).length > 0)) return undefined;
  const [where, second] = outer("WHERE");
  if (where === undefined || second !== undefined || !/^(?:SET|WHERE)$/.test(statement.word(after))) {
    return undefined;
  }
  const end = (outer("RETURNING")[0] ?? statement.last + 1) - 1;
  const table = textOf(statement, { from, to: after - 1 });
  const condition = textOf(statement, { from: where + 1, to: end });
  return isHarmless(statement, { from: where + 1, to: end })
    ? `SELECT count(*) FROM ${table} WHERE ${condition}`
    : undefined;
}

/** The rows that an INSERT brings. */
function inserted(statement: Statement, from: number): number | string | undefined {
  if (statement.reads(from, ["DEFAULT", "VALUES"])) return 1;
  let at = statement.pass(from);
  if (statement.word(at) === "VALUES") {
    let rows = 0;
    for (at++; statement.mark(at) === "("; at++) {
      rows++;
      at = statement.pass(at);
      if (statement.mark(at) !== ",") break;
    }
    return rows;
  }
  if (!/^(?:SELECT|WITH)$/.test(statement.word(at))) return undefined;
  const tail = [
    ...outside(statement, { word: "RETURNING", from: at }),
    ...outside(statement, { word: "ON", from: at }).filter((on) =>
      /^(?:CONFLICT|DUPLICATE)$/.test(statement.word(on + 1))
    ),
  ];
  const end = Math.min(...tail, statement.last + 1) - 1;
  const source = textOf(statement, { from: at, to: end });
  return isHarmless(statement, { from: at, to: end })
    ? `SELECT count(*) FROM (${source}) AS inserted`
    : undefined;
}

/** Where a keyword stands outside of all brackets. */
function outside(
  statement: Statement,
  { word, from }: { readonly word: string; readonly from: number },
): number[] {
  return [...statement.keywords(word)].filter((at) => at >= from && statement.tokens[at]?.depth === 0);
}

/** Whether counting calls no function that might do something: nothing is done before somebody has said yes. */
function isHarmless(
  statement: Statement,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  for (let at = from; at < to; at++) {
    const calls = statement.mark(at + 1) === "(" && statement.canBeName(at);
    if (calls && !HARMLESS.has(statement.word(at))) return false;
  }
  return true;
}

/** Both ends included. */
function textOf(
  { sql, tokens }: Statement,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  return sql.slice(tokens[from]?.start ?? 0, tokens[to]?.end ?? 0);
}
