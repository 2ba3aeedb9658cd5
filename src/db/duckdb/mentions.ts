/**
 * What a statement that writes mentions, by its tokens alone: DuckDB gives the tree of none but a SELECT. Rather a name too
 * many than one too few; which of them matter is judge.ts's.
 */
import { Statement } from "../statement.ts";
import { DUCKDB_DIALECT } from "./dialect.ts";

/** Names in lower case, without quotes. */
export interface Mentions {
  /** In front of a bracket, where they may call something. */
  readonly called: ReadonlySet<string>;
  /** All of them, for each may be a relation's. */
  readonly names: ReadonlySet<string>;
  /** Whether SHOW stands where a table can. */
  readonly shows: boolean;
}

/** Words in front of a table that is named with a list of its columns. */
const BEFORE_TARGET = /^(?:INTO|TABLE|EXISTS|REFERENCES)$/;

export function mentionsOf(sql: string): Mentions {
  const statement = new Statement(sql, DUCKDB_DIALECT.lexis);
  const called = new Set<string>();
  const names = new Set<string>();
  let shows = false;
  for (const [at, { kind }] of statement.tokens.entries()) {
    if (kind !== "word" && kind !== "name") continue;
    const name = statement.name(at).toLowerCase();
    names.add(name);
    if (statement.mark(at + 1) === "(" && mayCall(statement, at)) called.add(name);
    shows ||= statement.word(at) === "SHOW" && statement.mark(at - 1) === "(" &&
      statement.word(at + 1) !== "";
  }
  return { called, names, shows };
}

function mayCall(statement: Statement, at: number): boolean {
  let first = at;
  while (statement.mark(first - 1) === ".") first -= 2;
  // `… AS x (a, b)`, `(…) x (a, b)`: the columns of a derived table
  if (statement.word(first - 1) === "AS" || statement.mark(first - 1) === ")") return false;
  if (BEFORE_TARGET.test(statement.word(first - 1)) || isIndexed(statement, first)) return false;
  // `WITH x (a, b) AS (…)`
  const end = statement.pass(at + 1);
  return !(statement.word(end) === "AS" && /^(?:|NOT|MATERIALIZED)$/.test(statement.word(end + 1)));
}

/** The table of CREATE INDEX. */
function isIndexed(statement: Statement, at: number): boolean {
  const isIndex = statement.word(0) === "CREATE" && [1, 2].some((word) => statement.word(word) === "INDEX");
  return isIndex && statement.word(at - 1) === "ON";
}
