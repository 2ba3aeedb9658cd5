/**
 * Divides SQL text into tokens by the rules of a dialect, in linear time. It parses nothing, and refuses what engines
 * could divide otherwise than it does: the tokens are what the guard judges, so they must be the engine's own.
 */
import { Fault } from "../base/fault.ts";
import type { Lexis } from "./driver.ts";

export interface Token {
  /** `name` is a quoted name, `text` a quoted text; `mark` is one character of anything else. */
  readonly kind: "word" | "name" | "text" | "number" | "mark";
  readonly start: number;
  readonly end: number;
  /** A word in upper case, a mark as it is; "" for the other kinds. */
  readonly text: string;
  /** How many brackets are open around it; a bracket counts as outside of itself. */
  readonly depth: number;
  /** Index of the innermost bracket that is open around it, -1 without one. */
  readonly within: number;
  /** Of a bracket: the index of its partner; -1 for all others. */
  readonly partner: number;
}

/** Characters of a statement; longer ones are no question to a database. */
const MAX_CHARACTERS = 1_000_000;
/** Old servers read `1INTO` as two tokens, new ones as an error: such text is refused where the word would matter. */
const NEVER_AFTER_DIGITS =
  /^(?:SELECT|FROM|INTO|WHERE|UNION|EXCEPT|INTERSECT|LIMIT|OFFSET|FETCH|FOR|LOCK|RETURNING|AND|OR|AS|SET)$/;
const SPACES = /[ \t\n\r\f\v]+/y;
const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /0[xX][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y;
/** What runs on after a number without being a part of it. */
const TAIL = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z\d_\u0080-\uffff]*)?\$/y;
/** Some engines take these for spaces, others for letters. */
const ODD_SPACE = /[\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/;
const CLOSERS: { readonly [opener: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** Throws Fault: not_understood for unterminated, unbalanced and ambiguous text, too_large beyond a million characters. */
export function tokenize(sql: string, lexis: Lexis): readonly Token[] {
  if (sql.length > MAX_CHARACTERS) {
    throw new Fault(
      "too_large",
      `Cannot run the statement: it is longer than ${MAX_CHARACTERS} characters. Shorten it.`,
    );
  }
  if (sql.includes("\0") || !sql.isWellFormed()) {
    throw new Fault(
      "not_understood",
      "Cannot run the statement: it holds a NUL or a broken character. Remove it.",
    );
  }
  return new Scanner(sql, lexis).scan();
}

class Scanner {
  readonly #sql: string;
  readonly #lexis: Lexis;
  readonly #tokens: { -readonly [key in keyof Token]: Token[key] }[] = [];
  /** Indexes of the brackets that are open. */
  readonly #open: number[] = [];
  /** Index of the last text that had the prefix E. */
  #escaped = -2;
  #at = 0;
  /** Where the token, or the comment, that is being read begins. */
  #start = 0;

  constructor(sql: string, lexis: Lexis) {
    this.#sql = sql;
    this.#lexis = lexis;
  }

  scan(): readonly Token[] {
    for (this.#skip(); this.#at < this.#sql.length; this.#skip()) this.#next();
    const opener = this.#tokens[this.#open.at(-1) ?? -1];
    if (opener !== undefined) throw this.#refusal("a bracket opens and never closes. Close it", opener.start);
    return this.#tokens;
  }

  /** Passes over spaces and comments. */
  #skip(): void {
    for (;;) {
      this.#match(SPACES);
      this.#start = this.#at;
      const two = this.#sql.slice(this.#at, this.#at + 2);
      if (two === "/*") this.#blockComment();
      else if (this.#beginsLineComment(two)) this.#lineComment();
      else return;
    }
  }

  #beginsLineComment(two: string): boolean {
    if (two.startsWith("#")) return this.#lexis.hashComments;
    if (two !== "--") return false;
    const after = this.#sql.charAt(this.#at + 2);
    return !this.#lexis.dashCommentNeedsSpace || after <= " " || after === "\x7f";
  }

  #lineComment(): void {
    const newline = this.#sql.indexOf("\n", this.#at);
    this.#at = newline < 0 ? this.#sql.length : newline;
    // Some engines end the comment at a carriage return, others go on to the line feed.
    if (/\r(?!$)/.test(this.#sql.slice(this.#start, this.#at))) {
      throw this.#refusal("a comment holds a carriage return. End its line with a line feed");
    }
  }

  #blockComment(): void {
    const first = this.#sql.slice(this.#start + 2, this.#start + 4);
    if (this.#lexis.executableComments && /^(?:!|M!|\+)/.test(first)) {
      throw this.#refusal("the server would execute what stands in this comment. Remove it");
    }
    const mark = /\/\*|\*\//g;
    mark.lastIndex = this.#start + 2;
    for (let depth = 1; depth > 0;) {
      const found = mark.exec(this.#sql);
      if (found === null) throw this.#refusal("a comment begins and never ends. Close it");
      if (found[0] === "*/") depth--;
      else if (this.#lexis.nestedComments) depth++;
      // Without nesting, the star of this "/*" may belong to the end: "/* /*/" is a whole comment.
      else mark.lastIndex = found.index + 1;
    }
    this.#at = mark.lastIndex;
  }

  #next(): void {
    const character = this.#sql.charAt(this.#at);
    const { nameQuotes, textQuotes, parameters = [], dollarQuotes, backslash } = this.#lexis;
    if (nameQuotes.includes(character)) this.#quoted("name", { escapes: false });
    else if (textQuotes.includes(character)) this.#quoted("text", { escapes: backslash === "always" });
    else if (dollarQuotes && this.#match(DOLLAR_TAG)) this.#dollarText();
    else if (parameters.includes(character)) {
      throw this.#refusal("a parameter has no value here. Write the value itself");
    } else if (this.#match(NUMBER)) this.#number();
    else if (this.#match(WORD)) this.#word();
    else this.#mark(character);
  }

  /** From the quote at #at to its end; a doubled quote stands for itself, except in brackets. */
  #quoted(kind: "name" | "text", { escapes }: { escapes: boolean }): void {
    const quote = this.#sql.charAt(this.#at);
    const close = CLOSERS[quote] ?? quote;
    let end = this.#at + 1;
    for (; end < this.#sql.length; end++) {
      const character = this.#sql[end];
      if (character === "\\" && escapes) end++;
      else if (character === close) {
        if (close !== quote || this.#sql[end + 1] !== close) break;
        end++;
      }
    }
    if (end >= this.#sql.length) throw this.#refusal(`a quoted ${kind} begins and never ends. Close it`);
    if (kind === "text" && this.#escaped === this.#tokens.length - 1) {
      throw this.#refusal("a text with the prefix E is continued. Write it as one text");
    }
    this.#at = end + 1;
    this.#push(kind);
  }

  #dollarText(): void {
    const tag = this.#sql.slice(this.#start, this.#at);
    const end = this.#sql.indexOf(tag, this.#at);
    if (end < 0) throw this.#refusal(`a text quoted by ${tag} never ends. Close it`);
    this.#at = end + tag.length;
    this.#push("text");
  }

  #number(): void {
    const end = this.#at;
    if (!this.#match(TAIL)) return this.#push("number");
    const tail = this.#sql.slice(end, this.#at);
    // `1e'…'` is two tokens to old servers, and the second a text with escapes.
    const isJoined = tail.startsWith("$") || /['"]/.test(this.#sql.charAt(this.#at));
    if (isJoined || NEVER_AFTER_DIGITS.test(tail.toUpperCase())) {
      throw this.#refusal("a number runs into the word after it. Put a space between them", end);
    }
    this.#word();
  }

  #word(): void {
    const word = this.#sql.slice(this.#start, this.#at);
    if (ODD_SPACE.test(word)) {
      const place = this.#start + word.search(ODD_SPACE);
      throw this.#refusal("an unusual space stands outside of quotes. Use plain spaces", place);
    }
    const isPrefix = this.#lexis.backslash === "e-prefix" && /^e$/i.test(word);
    if (!isPrefix || this.#sql[this.#at] !== "'") return this.#push("word", { text: upperCase(word) });
    this.#quoted("text", { escapes: true });
    this.#escaped = this.#tokens.length - 1;
  }

  #mark(character: string): void {
    if (character < " " || character === "\x7f") {
      throw this.#refusal("a control character stands outside of quotes. Remove it");
    }
    if (this.#lexis.pipesAreOr && this.#match(/\|\|/y)) return this.#push("word", { text: "OR" });
    this.#at++;
    if (/[)\]}]/.test(character)) return this.#closeBracket(character);
    this.#push("mark", { text: character });
    if (character in CLOSERS) this.#open.push(this.#tokens.length - 1);
  }

  #closeBracket(character: string): void {
    const index = this.#open.pop() ?? -1;
    const opener = this.#tokens[index];
    if (opener === undefined || CLOSERS[opener.text] !== character) {
      throw this.#refusal("a bracket closes that was not opened. Balance the brackets");
    }
    opener.partner = this.#tokens.length;
    this.#push("mark", { text: character, partner: index });
  }

  #push(kind: Token["kind"], { text = "", partner = -1 } = {}): void {
    const [depth, within] = [this.#open.length, this.#open.at(-1) ?? -1];
    this.#tokens.push({ kind, start: this.#start, end: this.#at, text, depth, within, partner });
  }

  /** Moves past a match of the sticky pattern that begins at #at. */
  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#sql)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #refusal(state: string, at = this.#start): Fault {
    return new Fault("not_understood", `Cannot run the statement: at character ${at + 1}, ${state}.`);
  }
}

/** Keywords are ASCII; other letters whose upper case is ASCII (long s, dotless i) must not become keywords. */
function upperCase(word: string): string {
  return /^[\w$]+$/.test(word) ? word.toUpperCase() : word;
}
