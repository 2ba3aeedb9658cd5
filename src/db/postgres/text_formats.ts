/**
 * PostgreSQL's text forms of arrays, rows, dates and times, taken apart. What the elements are is decided by the caller;
 * a text that does not have the expected form is never bent into it.
 */

/** The elements of an array text, nested like the array; null is NULL. */
export type ArrayText = readonly (string | null | ArrayText)[];

/**
 * The elements of `{1,NULL,"a b"}`; undefined for an array whose lower bounds are written out (`[0:1]={1,2}`), which a
 * plain list cannot say. Source of the form: PostgreSQL manual, 8.15.6.
 */
export function parseArray(text: string, delimiter: string): ArrayText | undefined {
  if (!text.startsWith("{")) return undefined;
  const reader = new ArrayReader(text, delimiter);
  const list = reader.list();
  return reader.isAtEnd ? list : undefined;
}

class ArrayReader {
  readonly #text: string;
  readonly #delimiter: string;
  #at = 0;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
  }

  /** Exactly: a text that ends too early leaves the reader beyond its end. */
  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  list(): ArrayText {
    const elements: (string | null | ArrayText)[] = [];
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "}") {
      elements.push(this.#element());
      if (this.#text[this.#at] === this.#delimiter) this.#at++;
    }
    this.#at++;
    return elements;
  }

  #element(): string | null | ArrayText {
    const first = this.#text[this.#at];
    if (first === "{") return this.list();
    if (first === '"') return this.#quoted();
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#isEnd(this.#text[this.#at])) this.#at++;
    const bare = this.#text.slice(start, this.#at);
    return bare === "NULL" ? null : bare;
  }

  #isEnd(character: string | undefined): boolean {
    return character === this.#delimiter || character === "}";
  }

  #quoted(): string {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === "\\" ? 2 : 1;
    this.#at = end + 1;
    return this.#text.slice(start, end).replace(/\\(.)/gs, "$1");
  }
}

/** A list of texts as PostgreSQL reads it. */
export function writeArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** The fields of `(1,,"a ""b""")`; null is NULL. Source of the form: PostgreSQL manual, 8.16.6. */
export function parseRow(text: string): (string | null)[] {
  const fields = `,${text.slice(1, -1)}`.matchAll(FIELD);
  return Array.from(fields, ([, field = ""]) => field === "" ? null : unquoteField(field));
}

/** The pairs of `"a"=>"1", "b"=>NULL`. Source of the form: PostgreSQL manual, F.17.1. */
export function parseHstore(text: string): (readonly [key: string, value: string | null])[] {
  const plain = (quoted: string) => quoted.replace(/\\(.)/gs, "$1");
  return Array.from(
    text.matchAll(PAIR),
    ([, key = "", value]) => [plain(key), value === undefined ? null : plain(value)] as const,
  );
}

const PAIR = /"((?:[^"\\]|\\.)*)"=>(?:"((?:[^"\\]|\\.)*)"|NULL)/gs;

/** Quoted parts, in which a quote is doubled or escaped, or bare characters up to the next comma. */
const FIELD = /,((?:"(?:[^"\\]|\\.|"")*"|[^",])*)/gs;

function unquoteField(field: string): string {
  if (!field.startsWith('"')) return field;
  return field.slice(1, -1).replace(/\\(.)|""/gs, (_, escaped) => escaped ?? '"');
}

/** `2024-01-02 03:04:05` as `2024-01-02T03:04:05`; infinity and BC stay as they are. */
export function timestampText(text: string): string {
  return isPlain(text) ? text.replace(" ", "T") : text;
}

/** Like timestampText, with the offset in full: `+00` becomes `+00:00`. */
export function zonedTimestampText(text: string): string {
  return isPlain(text) ? zonedTimeText(text.replace(" ", "T")) : text;
}

/** A time with zone, with the offset in full. */
export function zonedTimeText(text: string): string {
  return /[+-]\d\d$/.test(text) ? `${text}:00` : text;
}

function isPlain(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 48 && last <= 57;
}

/** The bytes of `\xDEADBEEF`; undefined for any other form. */
export function parseBytes(text: string): Uint8Array | undefined {
  return text.startsWith("\\x") ? Uint8Array.fromHex(text.slice(2)) : undefined;
}
