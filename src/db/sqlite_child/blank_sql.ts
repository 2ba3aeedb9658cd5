/**
 * Tells text without a statement from text with one, as SQLite's tokenizer does: https://sqlite.org/src/file/src/tokenize.c.
 */

/** Nothing but what SQLite skips between statements: white space, comments and semicolons. */
export function isBlank(sql: string): boolean {
  const blank = /[ \t\n\f\r\ufeff;]+|--[^\n]*|\/\*(?:[^]*?\*\/|[^]+$)/y;
  while (blank.lastIndex < sql.length) {
    if (!blank.test(sql)) return false;
  }
  return true;
}
