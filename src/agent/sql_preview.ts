/**
 * The SQL of an execute_sql call while its arguments still stream: the decoded beginning of `query` in JSON that may
 * stop anywhere. It only previews: what is executed comes from the whole arguments.
 */

const QUERY = "query";
/** Up to this length (UTF-16 units) every piece is told; above, only growth by a sixteenth, so that all tellings stay linear. */
const SMOOTH_UNITS = 4096;
const GROWTH = 1 / 16;

/** Where in the outermost object the next token stands. */
type Place = "key" | "value";

export class SqlPreview {
  #depth = 0;
  #place: Place = "key";
  #key = "";
  /** The string that is being read, and the escape in it that is still incomplete. */
  #string: "key" | "sql" | "other" | undefined;
  #escape = "";
  #sql = "";
  #endsInHalf = false;
  #isWhole = false;
  #isBroken = false;
  #told = 0;

  /** Takes a piece of the arguments. The SQL so far, when there is enough more of it than was last told. */
  push(piece: string): string | undefined {
    let at = 0;
    while (at < piece.length && !this.#isWhole && !this.#isBroken) {
      at = this.#string === undefined ? this.#takeMark(piece, at) : this.#takeText(piece, at);
    }
    return this.#tell(this.#told < SMOOTH_UNITS ? 1 : this.#told * GROWTH);
  }

  /** The arguments have ended. The SQL, when not all of it was told. */
  end(): string | undefined {
    return this.#tell(1);
  }

  #tell(growth: number): string | undefined {
    // Half a surrogate pair waits for its other half.
    const length = this.#sql.length - (this.#endsInHalf && !this.#isWhole ? 1 : 0);
    if (length - this.#told < growth) return undefined;
    this.#told = length;
    return this.#sql.slice(0, length);
  }

  #takeMark(piece: string, at: number): number {
    switch (piece[at]) {
      case '"':
        this.#begin();
        break;
      case "{":
      case "[":
        // The arguments are one object; anything else has no query.
        if (this.#depth === 0 && piece[at] === "[") this.#isBroken = true;
        this.#depth++;
        break;
      case "}":
      case "]":
        this.#depth--;
        break;
      case ":":
        if (this.#depth === 1) this.#place = "value";
        break;
      case ",":
        if (this.#depth === 1) this.#place = "key";
        break;
    }
    return at + 1;
  }

  #begin(): void {
    if (this.#depth !== 1) this.#string = "other";
    else if (this.#place === "value") this.#string = this.#key === QUERY ? "sql" : "other";
    else {
      this.#string = "key";
      this.#key = "";
    }
  }

  /** Takes text up to the end of the string, of an escape or of the piece. */
  #takeText(piece: string, start: number): number {
    if (this.#escape !== "") return this.#takeEscape(piece, start);
    let at = start;
    while (at < piece.length && piece[at] !== '"' && piece[at] !== "\\") at++;
    this.#add(piece.slice(start, at));
    if (piece[at] === "\\") this.#escape = "\\";
    if (piece[at] === '"') {
      this.#isWhole = this.#string === "sql";
      this.#string = undefined;
    }
    return at + 1;
  }

  #takeEscape(piece: string, at: number): number {
    this.#escape += piece[at];
    if (this.#escape[1] === "u" && this.#escape.length < 6) return at + 1;
    const decoded = decode(this.#escape);
    if (decoded === undefined) this.#isBroken = true;
    else this.#add(decoded);
    this.#escape = "";
    return at + 1;
  }

  #add(text: string): void {
    if (text === "") return;
    if (this.#string === "key") this.#key += text;
    if (this.#string !== "sql") return;
    this.#sql += text;
    this.#endsInHalf = /[\ud800-\udbff]$/.test(text);
  }
}

function decode(escape: string): string | undefined {
  try {
    const text: unknown = JSON.parse(`"${escape}"`);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
