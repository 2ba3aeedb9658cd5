/**
 * The LIMIT or FETCH that a statement has of its own: where its number stands, if it is one that can be capped.
 */
import { Fault } from "../base/fault.ts";
import type { Statement } from "./statement.ts";

export interface Range {
  readonly from: number;
  /** The last index. */
  readonly to: number;
}

/** A count of rows, and the place of its digits in the text. */
interface Count {
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** The count of the body's own LIMIT or FETCH. Throws Fault `bad_limit` for one that can't be capped. */
export function findLimit(statement: Statement, body: Range): Count | undefined {
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

function badLimit(state: string): Fault {
  return new Fault(
    "bad_limit",
    `Cannot cap the statement's LIMIT: ${state}. Write LIMIT and a number, as in LIMIT 100 or LIMIT 100 OFFSET 200.`,
  );
}
