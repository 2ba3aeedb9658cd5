/**
 * Forms of MySQL and MariaDB that the parser library does not know, respelled as ones it does. What is left out carries
 * no harm of its own, and names of functions always stay.
 */
import type { Statement } from "../statement.ts";
import { afterSystemTime } from "./system_time.ts";

/** By index: what stands in place of a token; "" for nothing. */
export type Respelled = ReadonlyMap<number, string>;

type Changes = Map<number, string>;
/** Where a rule looks, and what it may change. */
interface Spot {
  readonly statement: Statement;
  readonly at: number;
  readonly changes: Changes;
}

type Rule = (spot: Spot) => void;

/** Words that are left out where they follow each other; `*` is any token. */
const LEFT_OUT = [
  "WITH ROLLUP",
  "RESPECT NULLS",
  "FOR SYSTEM_TIME ALL",
  "CHARACTER SET *",
  "WITH CHECK OPTION",
  "WITH CASCADED CHECK OPTION",
  "WITH LOCAL CHECK OPTION",
].map((words) => words.split(" "));

const DOUBLE_UNITS =
  /^(?:YEAR_MONTH|DAY_HOUR|(?:DAY|HOUR)_MINUTE|(?:DAY|HOUR|MINUTE)_SECOND|(?:DAY|HOUR|MINUTE|SECOND)_MICROSECOND)$/;
const UNITS = /^(?:MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)$/;

/** A list of literals says nothing new after so many. */
const LIST = 8;

export function respell(statement: Statement): Respelled {
  const changes: Changes = new Map();
  for (let at = 0; at <= statement.last; at++) {
    if (statement.tokens[at]?.kind === "word") {
      for (const rule of WORD_RULES) rule({ statement, at, changes });
    } else for (const rule of MARK_RULES) rule({ statement, at, changes });
  }
  shortenLists(statement, changes);
  return changes;
}

const WORD_RULES: readonly Rule[] = [
  ({ statement, at, changes }) => {
    const found = LEFT_OUT.find((words) =>
      words.every((word, i) => word === "*" || statement.word(at + i) === word)
    );
    for (const i of found?.keys() ?? []) changes.set(at + i, "");
  },
  ({ statement, at, changes }) => {
    for (let i = at; i < afterSystemTime(statement, at); i++) changes.set(i, "");
  },
  /** `EXPLAIN EXTENDED SELECT …` */
  ({ statement, at, changes }) => {
    const isOption = at === 1 && /^(?:EXTENDED|PARTITIONS)$/.test(statement.word(at));
    if (isOption && statement.word(0) === "EXPLAIN") changes.set(at, "");
  },
  ({ statement, at, changes }) => {
    if (DOUBLE_UNITS.test(statement.word(at))) changes.set(at, "DAY");
  },
  /** `INTERVAL(3, 1, 5)` is a function. */
  ({ statement, at, changes }) => {
    if (statement.word(at) !== "INTERVAL" || statement.mark(at + 1) !== "(") return;
    const unit = statement.word(statement.pass(at + 1));
    if (!UNITS.test(unit) && !DOUBLE_UNITS.test(unit)) changes.set(at, "GREATEST");
  },
  ({ statement, at, changes }) => {
    if (statement.reads(at, ["SOUNDS", "LIKE"])) changes.set(at, "");
  },
  /** `7 MOD 2` */
  ({ statement, at, changes }) => {
    if (statement.word(at) === "MOD" && isOperand(statement, at - 1)) changes.set(at, "%");
  },
  /** `TRIM(BOTH FROM a)` */
  ({ statement, at, changes }) => {
    const isSide = /^(?:BOTH|LEADING|TRAILING)$/.test(statement.word(at)) && statement.mark(at - 1) === "(";
    if (isSide && statement.word(at + 1) === "FROM") changes.set(at, "").set(at + 1, "");
  },
  /** `CHAR(65 USING utf8mb4)` */
  ({ statement, at, changes }) => {
    const opener = statement.tokens[at]?.within ?? -1;
    if (statement.word(at) === "USING" && statement.word(opener - 1) === "CHAR") changes.set(at, ",");
  },
  /** `CAST(a AS CHAR CHARSET latin1)` */
  ({ statement, at, changes }) => {
    const isCharset = statement.word(at) === "CHARSET" && statement.mark(at + 1) !== "(";
    if (isCharset && isTypeBefore(statement, at)) changes.set(at, "").set(at + 1, "");
  },
  /** `CAST(a AS CHAR COLLATE utf8mb4_bin)` */
  ({ statement, at, changes }) => {
    const opener = statement.tokens[at]?.within ?? -1;
    const isCast = /^(?:CAST|CONVERT)$/.test(statement.word(opener - 1)) && isTypeBefore(statement, at);
    if (statement.word(at) === "COLLATE" && isCast) changes.set(at, "").set(at + 1, "");
  },
  ({ statement, at, changes }) => {
    const isDefinition = /^(?:CREATE|ALTER)$/.test(statement.word(0));
    if (isDefinition && statement.word(at) === "ZEROFILL") changes.set(at, "");
  },
  /** `CREATE FULLTEXT INDEX …` */
  ({ statement, at, changes }) => {
    const isKind = /^(?:FULLTEXT|SPATIAL)$/.test(statement.word(at)) && statement.word(at + 1) === "INDEX";
    if (isKind && statement.word(0) === "CREATE" && statement.tokens[at]?.depth === 0) changes.set(at, "");
  },
  /** `UPDATE LOW_PRIORITY IGNORE a, b SET …` */
  ({ statement, at, changes }) => {
    if (statement.word(at) !== "UPDATE" || /^(?:FOR|KEY|ON)$/.test(statement.word(at - 1))) return;
    const depth = statement.tokens[at]?.depth;
    for (let i = at + 1; i <= statement.last && statement.word(i) !== "SET"; i++) {
      if (/^(?:LOW_PRIORITY|IGNORE)$/.test(statement.word(i)) && i <= at + 2) changes.set(i, "");
      if (statement.mark(i) === "," && statement.tokens[i]?.depth === depth) changes.set(i, "CROSS JOIN");
    }
  },
];

const MARK_RULES: readonly Rule[] = [
  /** `KEY a (name(10))`: the length looks like the argument of a function. */
  ({ statement, at, changes }) => {
    const isLength = statement.tokens[at + 1]?.kind === "number" && statement.pass(at) === at + 3;
    if (
      statement.mark(at) !== "(" || !isLength || !isIndexList(statement, statement.tokens[at]?.within ?? -1)
    ) {
      return;
    }
    for (const i of [at, at + 1, at + 2]) changes.set(i, "");
  },
  /** `!a` */
  ({ statement, at, changes }) => {
    if (statement.mark(at) === "!" && statement.mark(at + 1) !== "=") changes.set(at, "NOT");
  },
  /** `FROM (a, b) LEFT JOIN c …` */
  ({ statement, at, changes }) => {
    const isTables = /^(?:FROM|JOIN)$/.test(statement.word(at - 1)) && statement.word(at - 2) !== "FOR";
    if (statement.mark(at) !== "(" || !isTables) return;
    const end = statement.pass(at) - 1;
    if (!statement.canBeName(at + 1) || /^(?:SELECT|WITH|VALUES)$/.test(statement.word(at + 1))) return;
    let [isList, isJoin] = [false, false];
    for (let i = at + 1; i < end; i = Math.max(statement.pass(i), i + 1)) {
      if (statement.mark(i) === ",") isList = true;
      if (/^(?:STRAIGHT_)?JOIN$/.test(statement.word(i))) isJoin = true;
    }
    if (isList || !isJoin) changes.set(at, "").set(end, "");
  },
];

/** Whether the columns of an index stand in the brackets that open here: `KEY a (…)`, `CREATE INDEX a ON b.c (…)`. */
function isIndexList(statement: Statement, opener: number): boolean {
  const before = statement.mark(opener - 2) === "." ? opener - 4 : opener - 2;
  const words = [statement.word(opener - 1), statement.word(before)];
  return /^(?:CREATE|ALTER)$/.test(statement.word(0)) &&
    words.some((word) => /^(?:KEY|INDEX|UNIQUE|USING|ON)$/.test(word));
}

function isTypeBefore(statement: Statement, at: number): boolean {
  const [before, set] = [statement.word(at - 1), statement.word(at - 2)];
  return statement.mark(at - 1) === ")" || before === "CHAR" || set === "CHARSET" || set === "SET";
}

/** Whether a value may end here, so that an operator follows. */
function isOperand(statement: Statement, at: number): boolean {
  const token = statement.tokens[at];
  return token !== undefined &&
    (token.kind !== "mark"
      ? !/^(?:SELECT|WHERE|AND|OR|NOT|BY|ON|WHEN|THEN|ELSE)$/.test(token.text)
      : token.text === ")");
}

function shortenLists(statement: Statement, changes: Changes): void {
  const isLiteral = (at: number) => /^(?:number|text)$/.test(statement.tokens[at]?.kind ?? "");
  let length = 0;
  for (let at = 0; at <= statement.last; at++) {
    if (!isLiteral(at)) continue;
    length = statement.mark(at - 1) === "," && isLiteral(at - 2) ? length + 1 : 1;
    if (length > LIST && /^[,)]$/.test(statement.mark(at + 1))) changes.set(at - 1, "").set(at, "");
  }
}
