/**
 * A person's text as the statements in it, and a statement as one page of its rows. It judges nothing; text that it cannot
 * divide surely stays as it is.
 */
import { Fault } from "../base/fault.ts";
import type { Lexis } from "./driver.ts";
import { tokenize } from "./lexer.ts";
import { Statement } from "./statement.ts";

/** Bodies of such objects hold statements of their own. */
const COMPOUND = /^CREATE(?: \w+){0,6} (?:TRIGGER|FUNCTION|PROCEDURE|EVENT|PACKAGE)\b/;
/** Words that stand in such bodies where these are no quoted text. */
const BODY = /^(?:BEGIN|THEN|LOOP|REPEAT|WHILE)$/;
/** First words of statements that can be run again without doing anything again. */
const READING =
  /^(?:SELECT|VALUES|TABLE|FROM|SHOW|EXPLAIN|DESCRIBE|DESC|PRAGMA|SUMMARIZE|PIVOT|UNPIVOT|WITH|)$/;
const CHANGING = /^(?:INSERT|UPDATE|DELETE|MERGE|REPLACE|CALL|TRUNCATE|DROP|CREATE|ALTER)$/;
/** Clauses behind which, or instead of which, LIMIT has no place. */
const NO_LIMIT = ["FOR", "LOCK", "FETCH", "PROCEDURE", "SAMPLE"];

/** The statements of a text, without those that are empty. */
export function splitStatements(text: string, lexis: Lexis): string[] {
  try {
    const tokens = tokenize(text, { ...lexis, parameters: [] });
    const head = tokens.slice(0, 8).map((token) => token.text).join(" ");
    const isCompound = COMPOUND.test(head) && tokens.some((token) => BODY.test(token.text));
    const ends = isCompound
      ? []
      : tokens.filter((token) => token.text === ";" && token.kind === "mark" && token.depth === 0);
    const parts: string[] = [];
    let start = 0;
    for (const { start: end } of [...ends, { start: text.length }]) {
      if (tokens.some((token) => token.start >= start && token.start < end && token.text !== ";")) {
        parts.push(text.slice(start, end));
      }
      start = end + 1;
    }
    return parts;
  } catch (error) {
    if (error instanceof Fault) return text.trim() === "" ? [] : [text];
    throw error;
  }
}

export interface PageRequest {
  /** Rows of a page. */
  readonly limit: number;
  /** From 1. */
  readonly page: number;
}

export interface Page {
  readonly sql: string;
  /** `page`: the text asks for this page and one row more. `rows`: all rows come. `once`: it must not be run again. */
  readonly kind: "page" | "rows" | "once";
}

/** How to get at one page of a statement's rows. */
export function pageOf(sql: string, { lexis, limit, page }: PageRequest & { readonly lexis: Lexis }): Page {
  let statement: Statement;
  try {
    statement = new Statement(sql, { ...lexis, parameters: [] });
  } catch (error) {
    if (error instanceof Fault) return { sql, kind: /^\s*[(\w]/.test(sql) ? roughKind(sql) : "once" };
    throw error;
  }
  const verb = verbOf(statement);
  if (verb === undefined || isInto(statement, verb)) return { sql, kind: "once" };
  const paged = withClause(statement, { verb, limit, page, isSqlite: lexis.nameQuotes.includes("[") });
  return paged === undefined ? { sql, kind: "rows" } : { sql: paged, kind: "page" };
}

/** For text that the lexer refuses: its first word. */
function roughKind(sql: string): Page["kind"] {
  const [word = ""] = /^\w*/.exec(sql.trim().toUpperCase()) ?? [];
  return READING.test(word) && word !== "WITH" ? "rows" : "once";
}

/** Index of the verb; undefined when running it again could change something again. */
function verbOf(statement: Statement): number | undefined {
  const first = statement.word(0);
  if (!READING.test(first)) return undefined;
  if (first === "EXPLAIN" || first === "DESCRIBE" || first === "DESC") {
    const isRun = statement.tokens.some((token) => token.text === "ANALYZE");
    return isRun && statement.tokens.some((token) => CHANGING.test(token.text)) ? undefined : 0;
  }
  if (first !== "WITH") return 0;
  const tables = statement.commonTables(0);
  if (tables === undefined) return undefined;
  const heads = [...tables.bodies.map((body) => body + 1), tables.verb];
  return heads.some((at) => CHANGING.test(statement.word(statement.unwrap(at)))) ? undefined : tables.verb;
}

/** SELECT INTO makes a table (PostgreSQL), sets variables or writes a file (MySQL). */
function isInto(statement: Statement, verb: number): boolean {
  return [...statement.keywords("INTO")].some((index) =>
    index > verb && statement.tokens[index]?.depth === 0
  );
}

/** The text with a LIMIT for the page; undefined where the text does not say plainly where one would stand. */
function withClause(
  statement: Statement,
  { verb, limit, page, isSqlite }: PageRequest & { readonly verb: number; readonly isSqlite: boolean },
): string | undefined {
  const { sql, tokens, last } = statement;
  const isOwn = (index: number) => index > verb && tokens[index]?.depth === 0;
  if (!/^(?:SELECT|VALUES|TABLE)$/.test(statement.word(verb))) return undefined;
  if (isSqlite && tokens.some((token) => token.text === "VALUES" && token.depth === 0)) return undefined;
  if (NO_LIMIT.some((word) => [...statement.keywords(word)].some(isOwn))) return undefined;
  const clauses = [...statement.keywords("LIMIT"), ...statement.keywords("OFFSET")].filter(isOwn);
  const from = Math.min(...clauses, last + 1);
  const own = ownCounts(statement, from);
  if (own === undefined) return undefined;
  const start = (page - 1) * limit;
  const offset = own.offset + start;
  const body = sql.slice(0, tokens[from - 1]?.end ?? 0);
  // no table has so many rows, and no engine reads such a number
  if (!Number.isSafeInteger(offset)) return `${body} LIMIT 0`;
  return `${body} LIMIT ${Math.min(limit + 1, Math.max(0, own.limit - start))} OFFSET ${offset}`;
}

/** The numbers of `LIMIT n`, `OFFSET m` and both, from an index to the end; undefined for every other form. */
function ownCounts(
  statement: Statement,
  from: number,
): { readonly limit: number; readonly offset: number } | undefined {
  const text = statement.tokens.slice(from, statement.last + 1)
    .map((token) => token.text || statement.sql.slice(token.start, token.end)).join(" ");
  const found = /^(?:LIMIT (\d+)(?: OFFSET (\d+))?|OFFSET (\d+)(?: LIMIT (\d+))?|)$/.exec(text);
  if (found === null) return undefined;
  const [, limit, offset, firstOffset, lastLimit] = found;
  return {
    limit: Number(limit ?? lastLimit ?? Infinity),
    offset: Number(offset ?? firstOffset ?? 0),
  };
}
