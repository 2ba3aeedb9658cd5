/**
 * Makes a statement return at most one row more than its cap, by changing one number in its text or adding ` LIMIT n`.
 * The rest of the text stays as it is, so what runs is what was judged. The extra row tells whether there were more.
 */
import type { RowCaps } from "./driver.ts";
import { findLimit, type Range } from "./own_limit.ts";
import type { Verdict } from "./policy.ts";
import type { Statement } from "./statement.ts";

export interface LimitedStatement {
  readonly sql: string;
  /** How many rows may be handed out. */
  readonly cap: number;
  /** Whether a limit was added because the statement had none. */
  readonly added: boolean;
}

/** Throws Fault `bad_limit` for a limit that is no plain number. */
export function limitRows({ statement, kind, first }: Verdict, caps: RowCaps): LimitedStatement {
  const { sql } = statement;
  if (kind !== "rows" || caps.unlimited === Infinity) return { sql, cap: caps.unlimited, added: false };
  const body = findBody(statement, { from: first, to: statement.last });
  const own = findLimit(statement, body);
  if (own === undefined) {
    // The rows of VALUES stand in the text, and SQLite takes no LIMIT after them.
    const added = !endsInValues(statement, body);
    return {
      sql: added ? insertLimit(statement, { body, rows: caps.unlimited + 1 }) : sql,
      cap: caps.unlimited,
      added,
    };
  }
  const isOver = own.rows > caps.limited;
  const { start, end } = own;
  return {
    sql: isOver ? sql.slice(0, start) + (caps.limited + 1) + sql.slice(end) : sql,
    cap: caps.limited,
    added: false,
  };
}

/** The tokens that a limit at their end would hold for: without common tables, and inside brackets around the whole. */
function findBody(statement: Statement, { from, to }: Range): Range {
  for (;;) {
    const tables = statement.word(from) === "WITH" ? statement.commonTables(from) : undefined;
    if (tables !== undefined) from = tables.verb;
    else if (statement.mark(from) === "(" && statement.tokens[from]?.partner === to) {
      [from, to] = [from + 1, to - 1];
    } else return { from, to };
  }
}

function endsInValues(statement: Statement, { from, to }: Range): boolean {
  const depth = statement.tokens[from]?.depth;
  let operand = from;
  for (let at = from; at <= to; at++) {
    const isOperator = statement.tokens[at]?.depth === depth &&
      /^(?:UNION|EXCEPT|INTERSECT)$/.test(statement.word(at));
    if (isOperator) operand = at + (/^(?:ALL|DISTINCT)$/.test(statement.word(at + 1)) ? 2 : 1);
  }
  return statement.word(operand) === "VALUES";
}

/** Right behind the last token, before any comment, which could swallow it. */
function insertLimit({ sql, tokens }: Statement, { body, rows }: { body: Range; rows: number }): string {
  const end = tokens[body.to]?.end ?? sql.length;
  return `${sql.slice(0, end)} LIMIT ${rows}${sql.slice(end)}`;
}
