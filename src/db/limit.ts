/**
 * Makes a statement return at most one row more than its cap, by changing one number in its text or adding ` LIMIT n`.
 * The rest of the text stays as it is, so what runs is what was judged. The extra row tells whether there were more.
 */
import { Fault } from "../base/fault.ts";
import type { RowCaps } from "./driver.ts";
import type { Verdict } from "./policy.ts";
import type { Statement } from "./statement.ts";

export interface LimitedStatement {
  readonly sql: string;
  /** How many rows may be handed out. */
  readonly cap: number;
  /** Whether a limit was added because the statement had none. */
  readonly added: boolean;
}

interface Range {
  readonly from: number;
  /** The last index. */
  readonly to: number;
}

/** Throws Fault `bad_limit` for a limit that is no plain number. */
export function limitRows({ statement, kind, first }: Verdict, caps: RowCaps): LimitedStatement {
  const { sql } = statement;
  if (kind !== "rows") return { sql, cap: caps.unlimited, added: false };
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

/** A count of rows, and the place of its digits in the text. */
interface Count {
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** The count of the body's own LIMIT or FETCH. */
function findLimit(statement: Statement, body: Range): Count | undefined {
  const depth = statement.tokens[body.from]?.depth;
  const isOwn = (at: number) => at >= body.from && at <= body.to && statement.tokens[at]?.depth === depth;
  const limits = [...statement.keywords("LIMIT")].filter(isOwn);
  const fetches = [...statement.keywords("FETCH")].filter((at) =>
    isOwn(at) && /^(?:FIRST|NEXT)$/.test(statement.word(at + 1))
  );
  if (limits.length + fetches.length > 1) throw badLimit("there is more than one");
  const [limit, fetch] = [limits[0], fetches[0]];
  if (limit !== undefined) return countOfLimit(statement, { from: limit, to: body.to });
  return fetch === undefined ? undefined : countOfFetch(statement, fetch);
}

/** `LIMIT n`, `LIMIT n OFFSET m`, `LIMIT m, n`. */
function countOfLimit(statement: Statement, { from, to }: Range): Count {
  const first = plainCount(statement, from + 1);
  if (from + 1 === to || statement.word(from + 2) === "OFFSET") return first;
  if (statement.mark(from + 2) !== "," || from + 3 !== to) throw badLimit("it is no plain number");
  return plainCount(statement, from + 3);
}

/** `FETCH FIRST [n] ROWS ONLY`; without a number it is one row. */
function countOfFetch(statement: Statement, at: number): Count {
  const isBare = /^ROWS?$/.test(statement.word(at + 2));
  const end = statement.tokens[at + 1]?.end ?? 0;
  const count = isBare ? { rows: 1, start: end, end } : plainCount(statement, at + 2);
  const rows = isBare ? at + 2 : at + 3;
  if (!/^ROWS?$/.test(statement.word(rows)) || statement.word(rows + 1) !== "ONLY") {
    throw badLimit("FETCH has a form that can't be capped");
  }
  return count;
}

function plainCount(statement: Statement, index: number): Count {
  const token = statement.tokens[index];
  const digits = statement.sql.slice(token?.start, token?.end);
  if (token?.kind !== "number" || index > statement.last || !/^\d+(?:_\d+)*$/.test(digits)) {
    throw badLimit("it is no plain number");
  }
  return { rows: Number(digits.replaceAll("_", "")), start: token.start, end: token.end };
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

function badLimit(state: string): Fault {
  return new Fault(
    "bad_limit",
    `Cannot cap the statement's LIMIT: ${state}. Write LIMIT and a number, as in LIMIT 100 or LIMIT 100 OFFSET 200.`,
  );
}
