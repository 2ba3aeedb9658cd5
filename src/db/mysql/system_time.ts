/**
 * The clause that reads a table as it was (MariaDB): `FOR SYSTEM_TIME AS OF …`, `BETWEEN … AND …`, `FROM … TO …`, with
 * plain moments: a literal, or NOW() and the like, and an interval before or after it.
 */
import type { Statement } from "../statement.ts";

/** The index after the clause that begins at an index; the index itself when none does. */
export function afterSystemTime(statement: Statement, at: number): number {
  if (!statement.reads(at, ["FOR", "SYSTEM_TIME"])) return at;
  for (const [words, between] of FORMS) {
    if (!statement.reads(at + 2, words)) continue;
    const first = afterMoment(statement, at + 2 + words.length);
    const second = between === ""
      ? first
      : statement.word(first) === between
      ? afterMoment(statement, first + 1)
      : -1;
    return first < 0 || second < 0 ? at : second;
  }
  return at;
}

const FORMS: readonly (readonly [words: readonly string[], between: string])[] = [
  [["AS", "OF"], ""],
  [["BETWEEN"], "AND"],
  [["FROM"], "TO"],
];

/** -1 for anything but a plain moment. */
function afterMoment(statement: Statement, at: number): number {
  const first = /^(?:TIMESTAMP|DATE|TRANSACTION)$/.test(statement.word(at)) && statement.mark(at + 1) !== "("
    ? at + 1
    : at;
  const end = isLiteral(statement, first) ? first + 1 : afterCall(statement, first);
  const isShifted = /^[-+]$/.test(statement.mark(end)) && statement.word(end + 1) === "INTERVAL" &&
    isLiteral(statement, end + 2) && statement.word(end + 3) !== "";
  return end < 0 ? -1 : isShifted ? end + 4 : end;
}

/** `NOW()`, `TIMESTAMP('…')` */
function afterCall(statement: Statement, at: number): number {
  const isCall = statement.word(at) !== "" && statement.mark(at + 1) === "(";
  const end = statement.pass(at + 1);
  const isPlain = end === at + 3 || (end === at + 4 && isLiteral(statement, at + 2));
  return isCall && isPlain ? end : -1;
}

function isLiteral(statement: Statement, at: number): boolean {
  return at <= statement.last && /^(?:text|number)$/.test(statement.tokens[at]?.kind ?? "");
}
