/**
 * Whether the WHERE of an UPDATE or DELETE chooses rows at all: a condition of constants only, or one whose sub-selects
 * know nothing of the row, changes every row or none. It looks for mistakes, not for ill will: `id > -1` passes.
 */
import { Fault } from "../base/fault.ts";
import type { Statement } from "./statement.ts";

/** Words in a condition that are a column on no engine. Words before a bracket are functions and need no entry. */
const NO_COLUMN = new Set(
  ("TRUE FALSE NULL UNKNOWN NOT AND OR XOR IS IN LIKE ILIKE GLOB REGEXP RLIKE SIMILAR TO BETWEEN SYMMETRIC EXISTS ANY " +
    "ALL SOME CASE WHEN THEN ELSE END ESCAPE COLLATE DISTINCT FROM DIV MOD INTERVAL AS CAST BINARY CURRENT_DATE " +
    "CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME LOCALTIMESTAMP SESSION_USER PRECISION ISNULL NOTNULL")
    .split(" "),
);
/** Words in front of a text that make a value of it; everywhere else but in a cast they may be a column's name. */
const TYPED = /^(?:DATE|TIME|TIMESTAMP)$/;

/** Levels of brackets and NOT in a condition. */
const MAX_DEPTH = 200;

interface Range {
  readonly from: number;
  /** The last index. */
  readonly to: number;
}

/** The verb's index is that of UPDATE or DELETE. */
export function hasFilter(statement: Statement, verb: number): boolean {
  const end = statement.endAround(verb);
  const depth = statement.tokens[verb]?.depth;
  const find = (pattern: RegExp, from: number) => {
    for (let at = from; at <= end; at++) {
      if (statement.tokens[at]?.depth === depth && pattern.test(statement.word(at))) return at;
    }
    return -1;
  };
  const where = find(/^WHERE$/, verb);
  if (where < 0) return false;
  const after = find(/^(?:RETURNING|ORDER|LIMIT)$/, where);
  const condition = { from: where + 1, to: after < 0 ? end : after - 1 };
  const names = targetNames(statement, { from: verb + 1, to: where - 1 });
  return new Filter(statement, names).chooses(condition);
}

/** The names that may qualify the changed table's columns, as they are written but for quotes and case. */
function targetNames(statement: Statement, { from, to }: Range): Set<string> {
  const names = new Set<string>();
  for (let at = from; at <= to && statement.word(at) !== "SET"; at++) {
    if (statement.canBeName(at)) names.add(foldedName(statement, at));
  }
  return names;
}

function foldedName(statement: Statement, index: number): string {
  return statement.name(index).toLowerCase();
}

class Filter {
  readonly #statement: Statement;
  readonly #names: ReadonlySet<string>;

  constructor(statement: Statement, names: ReadonlySet<string>) {
    this.#statement = statement;
    this.#names = names;
  }

  /** OR chooses if each part does, AND if one does; under NOT it is the other way round. */
  chooses(range: Range, { negated = false, depth = 0 } = {}): boolean {
    if (depth > MAX_DEPTH) {
      throw new Fault(
        "not_understood",
        "Cannot run the statement: its WHERE is nested too deeply. Simplify it.",
      );
    }
    const inner = this.#insideBrackets(range);
    if (inner !== undefined) return this.chooses(inner, { negated, depth: depth + 1 });
    for (const [pattern, everyPart] of [[/^(?:OR|XOR)$/, !negated], [/^AND$/, negated]] as const) {
      const parts = this.#parts(range, pattern);
      if (parts.length === 1) continue;
      const chooses = (part: Range) => this.chooses(part, { negated, depth: depth + 1 });
      return everyPart ? parts.every(chooses) : parts.some(chooses);
    }
    let { from } = range;
    while (this.#statement.word(from) === "NOT") from++;
    if (from === range.from) return this.#refersToRow(range);
    const isOdd = (from - range.from) % 2 === 1;
    return this.chooses({ from, to: range.to }, { negated: negated !== isOdd, depth: depth + 1 });
  }

  /** What stands in the brackets, if they hold the whole range and no sub-select. */
  #insideBrackets({ from, to }: Range): Range | undefined {
    const statement = this.#statement;
    if (statement.mark(from) !== "(" || statement.tokens[from]?.partner !== to) return undefined;
    const isSelect = /^(?:SELECT|WITH)$/.test(statement.word(from + 1));
    return isSelect ? undefined : { from: from + 1, to: to - 1 };
  }

  /** Splits at words of the range's own depth; the AND of a BETWEEN is none. */
  #parts({ from, to }: Range, pattern: RegExp): Range[] {
    const parts: Range[] = [];
    let [begin, betweens] = [from, 0];
    for (let at = from; at <= to; at = Math.max(this.#statement.pass(at), at + 1)) {
      const word = this.#statement.word(at);
      if (word === "BETWEEN") betweens++;
      else if (word === "AND" && betweens > 0) betweens--;
      else if (pattern.test(word)) {
        parts.push({ from: begin, to: at - 1 });
        begin = at + 1;
      }
    }
    return [...parts, { from: begin, to }];
  }

  #refersToRow({ from, to }: Range): boolean {
    const statement = this.#statement;
    if (
      to === from + 2 && statement.mark(from + 1) === "=" &&
      foldedName(statement, from) === foldedName(statement, to)
    ) {
      return false;
    }
    for (let at = from; at <= to; at++) {
      const isSelect = statement.mark(at) === "(" && /^(?:SELECT|WITH)$/.test(statement.word(at + 1));
      if (isSelect) {
        const end = statement.pass(at) - 1;
        if (this.#isCorrelated({ from: at, to: end })) return true;
        at = end;
      } else if (this.#isColumn(at)) return true;
    }
    return false;
  }

  #isColumn(at: number): boolean {
    const { tokens, lexis } = this.#statement;
    const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
    if (token?.kind === "name") return true;
    // `::type`, `AS type`, a function, the prefix of a text
    if (before?.text === ":" || before?.text === "AS" || after?.text === "(") return false;
    if (after?.kind === "text" && (after.start === token?.end || TYPED.test(token?.text ?? ""))) return false;
    if (token?.kind !== "word") return false;
    return before?.text === "." || !(NO_COLUMN.has(token.text) || lexis.values?.includes(token.text));
  }

  /** A sub-select sees the row if it qualifies a column by the changed table's name, and does not itself read a table so named. */
  #isCorrelated({ from, to }: Range): boolean {
    const [qualified, own] = [new Set<string>(), new Set<string>()];
    for (let at = from; at <= to; at++) {
      const name = foldedName(this.#statement, at);
      if (!this.#names.has(name)) continue;
      if (/^(?:FROM|JOIN)$/.test(this.#statement.word(at - 1))) own.add(name);
      else if (this.#statement.mark(at + 1) === ".") qualified.add(name);
    }
    return qualified.difference(own).size > 0;
  }
}
