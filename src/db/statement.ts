/**
 * One statement as tokens, with the questions that the guard's rules ask of it. It knows where clauses could begin,
 * not what they mean.
 */
import { Fault } from "../base/fault.ts";
import type { Lexis } from "./driver.ts";
import { type Token, tokenize } from "./lexer.ts";

/** Where common table expressions stand: the brackets that open their bodies, and the verb after their list. */
export interface CommonTables {
  readonly bodies: readonly number[];
  readonly verb: number;
}

/** A statement and the indexes of the verbs in it: its own, and those of its common table expressions. */
export interface Verbs {
  readonly statement: Statement;
  readonly readWords: readonly string[];
  readonly main: number;
  readonly inner: readonly number[];
}

/** What may follow SEARCH and CYCLE clauses, besides a comma and a bracket. */
const AFTER_TABLES = /^(?:SELECT|VALUES|FROM|TABLE|INSERT|UPDATE|DELETE|MERGE|REPLACE|SEARCH|CYCLE)$/;

/** Tokens that a SEARCH or CYCLE clause may have, so that looking for its end stays cheap. */
const MAX_CLAUSE = 500;

/** Indexes are those of its tokens; one beyond the last token has no word and no mark. */
export class Statement {
  readonly sql: string;
  readonly lexis: Lexis;
  readonly tokens: readonly Token[];
  /** Index of the last token, without a final `;`. */
  readonly last: number;

  /** Throws Fault: multiple_statements, not_understood (nothing to run), and what tokenize throws. */
  constructor(sql: string, lexis: Lexis) {
    this.sql = sql;
    this.lexis = lexis;
    this.tokens = tokenize(sql, lexis);
    this.last = this.tokens.findLastIndex((token) => token.text !== ";");
    if (this.last < 0) throw new Fault("not_understood", "Cannot run the statement: it is empty. Write one.");
    if (this.tokens.findIndex((token) => token.text === ";") >>> 0 < this.last) {
      throw new Fault(
        "multiple_statements",
        "Cannot run the statement: there is more than one. Run them one by one, each by its own call.",
      );
    }
  }

  /** The word at an index, in upper case; "" for everything else. */
  word(index: number): string {
    const token = this.tokens[index];
    return token?.kind === "word" && index <= this.last ? token.text : "";
  }

  /** The name at an index, without its quotes; everything else as it is written. */
  name(index: number): string {
    const token = this.tokens[index];
    const text = this.sql.slice(token?.start, token?.end);
    const quote = text.slice(-1);
    return token?.kind === "name" ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
  }

  /** The mark at an index; "" for everything else. */
  mark(index: number): string {
    const token = this.tokens[index];
    return token?.kind === "mark" && index <= this.last ? token.text : "";
  }

  /** Indexes of a keyword, without the places where a name may look like it: after a dot, AS or the sign of a variable. */
  *keywords(keyword: string): Generator<number> {
    let isName = false;
    for (const [index, { start }] of this.tokens.entries()) {
      const before = this.tokens[index - 1];
      const isVariable = before?.text === "@" && before.end === start;
      isName = before?.text === "." || isVariable || (before?.text === "AS" && !isName);
      if (!isName && this.word(index) === keyword) yield index;
    }
  }

  /** Whether these words follow each other from an index on. */
  reads(index: number, words: readonly string[]): boolean {
    return words.every((word, offset) => this.word(index + offset) === word);
  }

  /** Whether a name can stand at an index: a word, a quoted name, or a quoted text, which SQLite takes for one. */
  canBeName(index: number): boolean {
    const kind = this.tokens[index]?.kind ?? "mark";
    return index <= this.last && kind !== "mark" && kind !== "number";
  }

  /** The index after the bracket's partner, if a bracket opens at the index; else the index. */
  pass(index: number): number {
    return /^[([{]$/.test(this.mark(index)) ? (this.tokens[index]?.partner ?? index) + 1 : index;
  }

  /** The first index from there on that is no opening parenthesis. */
  unwrap(index: number): number {
    let at = index;
    while (this.mark(at) === "(") at++;
    return at;
  }

  /** Index of the last token within the brackets that are open around an index. */
  endAround(index: number): number {
    const opener = this.tokens[this.tokens[index]?.within ?? -1];
    return opener === undefined ? this.last : opener.partner - 1;
  }

  /**
   * The list of common table expressions that begins with the WITH at an index; undefined when it is another WITH.
   * `WITH [RECURSIVE] name [(columns)] [USING KEY (…)] AS [[NOT] MATERIALIZED] (…) [SEARCH … | CYCLE …], … verb`
   */
  commonTables(index: number): CommonTables | undefined {
    const bodies: number[] = [];
    let at = index + (this.word(index + 1) === "RECURSIVE" && this.word(index + 2) !== "AS" ? 2 : 1);
    for (;; at++) {
      if (!this.canBeName(at)) return undefined;
      at = this.pass(at + 1);
      if (this.reads(at, ["USING", "KEY"])) at = this.pass(at + 2);
      if (this.word(at++) !== "AS") return undefined;
      if (this.word(at) === "NOT") at++;
      if (this.word(at) === "MATERIALIZED") at++;
      if (this.mark(at) !== "(") return undefined;
      bodies.push(at);
      at = this.#passSearchAndCycle(this.pass(at));
      if (this.mark(at) !== ",") return { bodies, verb: at };
    }
  }

  /** These clauses list columns with commas up to SET or RESTRICT. */
  #passSearchAndCycle(index: number): number {
    const end = Math.min(this.last, index + MAX_CLAUSE);
    let at = index;
    while (/^(?:SEARCH|CYCLE)$/.test(this.word(at))) {
      while (at <= end && !/^(?:SET|RESTRICT)$/.test(this.word(at))) at++;
      at++;
      while (at <= end && !/^[,(]$/.test(this.mark(at)) && !AFTER_TABLES.test(this.word(at))) at++;
    }
    return at;
  }
}
