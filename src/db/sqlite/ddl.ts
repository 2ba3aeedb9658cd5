/**
 * What SQLite tells of a table or an index only in the stored CREATE text: expressions. The text is known to be valid, since
 * SQLite keeps what it has compiled; so this finds places in it and checks nothing.
 */

/** Quoted names and texts, comments, words, single characters. */
const TOKEN =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|\s+|[^]/g;

interface Token {
  readonly text: string;
  readonly at: number;
  /** How many parentheses are open around it; the parentheses themselves count as outside. */
  readonly depth: number;
}

/** The tokens without white space and comments. */
function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { 0: text, index: at } of sql.matchAll(TOKEN)) {
    if (/^\s|^--|^\/\*/.test(text)) continue;
    if (text === ")") depth--;
    tokens.push({ text, at, depth });
    if (text === "(") depth++;
  }
  return tokens;
}

/** The expression of a generated column; undefined when the table's text has no such column. */
export function generatedExpression(createTable: string, column: string): string | undefined {
  const tokens = tokenize(createTable);
  const name = tokens.findIndex((token, index) =>
    token.depth === 1 && isName(token.text, column) && isOneOf(tokens[index - 1], ["(", ","])
  );
  const end = endOfPart(tokens, name);
  const as = tokens.findIndex((token, index) =>
    index > name && index < end && token.depth === 1 && isWord(token, "AS")
  );
  const open = tokens[as + 1];
  const close = tokens.find((token) =>
    open !== undefined && token.at > open.at && token.depth === 1 && token.text === ")"
  );
  return name < 0 || as < 0 || open === undefined || close === undefined
    ? undefined
    : createTable.slice(open.at + 1, close.at).trim();
}

/** The indexed expressions in order, without collation and direction, and the condition of a partial index. */
export function indexParts(
  createIndex: string,
): { readonly columns: readonly string[]; readonly where?: string } {
  const tokens = tokenize(createIndex);
  const open = tokens.findIndex((token) => token.text === "(");
  const close = tokens.findIndex((token, index) => index > open && token.depth === 0 && token.text === ")");
  const columns: string[] = [];
  for (let from = open + 1; from < close;) {
    const end = endOfPart(tokens, from);
    columns.push(textOf(createIndex, withoutOrder(tokens.slice(from, end))));
    from = end + 1;
  }
  const where = tokens.slice(close + 1).findIndex((token) => isWord(token, "WHERE"));
  return where < 0 ? { columns } : { columns, where: textOf(createIndex, tokens.slice(close + 2 + where)) };
}

/** The index of the comma or parenthesis that ends the part of the outermost list which `from` is in. */
function endOfPart(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(({ text, depth }, index) =>
    index > from && ((depth === 1 && text === ",") || (depth === 0 && text === ")"))
  );
  return end < 0 ? tokens.length : end;
}

function withoutOrder(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1);
  const beforeLast = tokens.at(-2);
  if (last?.depth !== 1) return tokens;
  if (isWord(last, "ASC") || isWord(last, "DESC")) return withoutOrder(tokens.slice(0, -1));
  return beforeLast?.depth === 1 && isWord(beforeLast, "COLLATE") ? tokens.slice(0, -2) : tokens;
}

function textOf(sql: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first === undefined || last === undefined ? "" : sql.slice(first.at, last.at + last.text.length);
}

function isWord(token: Token, word: string): boolean {
  return token.text.toUpperCase() === word;
}

function isOneOf(token: Token | undefined, texts: readonly string[]): boolean {
  return token !== undefined && texts.includes(token.text);
}

/** Whether the token spells this name, quoted or not. */
function isName(token: string, name: string): boolean {
  const quote = token[0] ?? "";
  if (quote === "[") return token.slice(1, -1) === name;
  return `"'\``.includes(quote)
    ? token.slice(1, -1).replaceAll(quote + quote, quote) === name
    : token === name;
}
