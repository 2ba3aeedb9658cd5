/**
 * What a statement may do, judged by its tokens: one statement, of a class that the session's access allows.
 * It is the first wall; the engines' own parsers, read-only modes and privileges stand behind it.
 */
import { Fault } from "../base/fault.ts";
import { refuseClauses } from "./clauses.ts";
import type { Access, Dialect } from "./driver.ts";
import { afterExplain } from "./explain.ts";
import { Statement } from "./statement.ts";
import { judgeWriting, ROW_VERBS } from "./write_policy.ts";

/** `rows` may be limited, `explain` shows a plan, `write` must run to its end. */
export interface Verdict {
  readonly statement: Statement;
  readonly kind: "rows" | "explain" | "write";
  /** Index of the token at which the statement itself begins, after EXPLAIN. */
  readonly first: number;
}

/** What to do instead, by the first word. */
const INSTEAD: { readonly [word: string]: string } = {
  TABLE: "Write SELECT * FROM and the table's name",
  SHOW: "Use the tools list_tables and introspect_schema, or SELECT from the catalog",
  DESCRIBE: "Use the tool introspect_schema",
  DESC: "Use the tool introspect_schema",
  PRAGMA: "Use the tool introspect_schema",
  SUMMARIZE: "Use the tool introspect_schema, and aggregates in a SELECT",
  PIVOT: "Write SELECT * FROM (PIVOT …)",
  UNPIVOT: "Write SELECT * FROM (UNPIVOT …)",
  ANALYZE: "Write EXPLAIN without ANALYZE",
  ANALYSE: "Write EXPLAIN without ANALYZE",
  CALL: "Write SELECT * FROM and the function",
};

/** Besides the dialect's own, what a common table expression may begin with; harmless where the engine knows it. */
const INNER_WORDS = ["TABLE", "PIVOT", "UNPIVOT", "DESCRIBE", "SUMMARIZE", "SHOW"];

/**
 * Throws Fault: multiple_statements, not_read_only (a class, a clause or a missing condition), not_understood, too_large.
 */
export function judge(
  sql: string,
  { dialect, access }: { readonly dialect: Pick<Dialect, "lexis" | "readWords">; readonly access: Access },
): Verdict {
  const statement = new Statement(sql, dialect.lexis);
  const isExplain = statement.word(0) === "EXPLAIN";
  const first = isExplain ? afterExplain(statement) : 0;
  const { main, inner } = findVerbs(statement, first);
  const { readWords } = dialect;
  const isWrite = access === "write" && !isExplain && judgeWriting({ statement, readWords, main, inner });
  if (!isWrite && !readWords.includes(statement.word(main))) {
    throw notReading(statement, { at: main, readWords });
  }
  const allowed = [...readWords, ...INNER_WORDS, ...isWrite ? ROW_VERBS : []];
  const refused = inner.find((at) => !allowed.includes(statement.word(at)));
  if (refused !== undefined) throw notReading(statement, { at: refused, readWords });
  refuseClauses(statement, readWords);
  return { statement, kind: isExplain ? "explain" : isWrite ? "write" : "rows", first };
}

function findVerbs(statement: Statement, first: number): { main: number; inner: number[] } {
  const inner: number[] = [];
  let main = statement.unwrap(first);
  for (let at = first; at <= statement.last; at++) {
    if (statement.word(at) !== "WITH") continue;
    const tables = statement.commonTables(at);
    if (tables === undefined) {
      if (at !== main && statement.mark(at - 1) !== "(") continue;
      throw new Fault(
        "not_understood",
        "Cannot run the statement: its WITH clause is not understood. Write it plainly.",
      );
    }
    for (const body of tables.bodies) inner.push(statement.unwrap(body + 1));
    const verb = statement.unwrap(tables.verb);
    if (at === main) main = verb;
    else inner.push(verb);
  }
  return { main, inner };
}

/** The refusal of a statement, or a part of one, by its first word. */
function notReading(
  statement: Statement,
  { at, readWords }: { at: number; readWords: readonly string[] },
): Fault {
  const word = statement.word(at).slice(0, 30);
  const allowed = `${readWords.join(", ")} and EXPLAIN may be run`;
  return new Fault(
    "not_read_only",
    word === ""
      ? `Cannot run the statement: only ${allowed}. Begin with one of these words.`
      : `Cannot run the statement: ${word} is not allowed, only ${allowed}. ` +
        `${Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : "Ask with SELECT"}.`,
  );
}
