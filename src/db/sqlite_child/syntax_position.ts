/**
 * Finds the place of a syntax error. SQLite knows it but node:sqlite does not ask; the words name the token at fault, so each
 * place where that token stands is tried: the text up to its end fails with the same words at the first place that is at fault.
 */

/** Places that are tried, each of which costs a compilation of the text before it, and the longest text worth that. */
const MAX_PLACES = 100;
const MAX_CHARACTERS = 100_000;

/** In characters from 1. `compile` throws what SQLite says of a text. */
export function locateSyntaxError(
  sql: string,
  { message, compile }: { message: string; compile: (sql: string) => unknown },
): number | undefined {
  if (sql.length > MAX_CHARACTERS) return undefined;
  if (message === "incomplete input") return countCharacters(sql) + 1;
  const [, token] = /^(?:near|unrecognized token:) "(.+)"(?:: syntax error)?$/s.exec(message) ?? [];
  if (token === undefined) return undefined;
  let at = sql.indexOf(token);
  for (let places = 0; at >= 0 && places < MAX_PLACES; places++, at = sql.indexOf(token, at + 1)) {
    const end = at + token.length;
    if (isWhole(sql, { at, end }) && failsWith(message, () => compile(sql.slice(0, end)))) {
      return countCharacters(sql.slice(0, at)) + 1;
    }
  }
  return undefined;
}

/** Whether no word begins before `at` or goes on after `end`. */
function isWhole(sql: string, { at, end }: { at: number; end: number }): boolean {
  const isWord = (index: number) => /[\w$\u0080-\uffff]/.test(sql[index] ?? "");
  return !(isWord(at) && isWord(at - 1)) && !(isWord(end - 1) && isWord(end));
}

function failsWith(message: string, work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    return error instanceof Error && error.message === message;
  }
}

function countCharacters(text: string): number {
  return Array.from(text).length;
}
