/**
 * The text that a person types, with its cursor and what was typed before. It draws nothing and decides nothing.
 */
import type { Key } from "./keys.ts";

export class Editor {
  #text = "";
  /** In UTF-16 units; never within a character as it is seen. */
  #at = 0;
  readonly #history: string[];
  /** Of the entry that is shown; the end is what is being typed. */
  #shown: number;
  #draft = "";

  constructor(history: readonly string[] = []) {
    this.#history = [...history];
    this.#shown = this.#history.length;
  }

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#at;
  }

  set(text: string): void {
    this.#text = text;
    this.#at = text.length;
  }

  /** Hands the text over and begins anew; it is remembered. */
  take(): string {
    const text = this.#text;
    if (text.trim() !== "" && this.#history.at(-1) !== text) this.#history.push(text);
    this.#shown = this.#history.length;
    this.set("");
    return text;
  }

  insert(text: string): void {
    this.#replace(this.#at, { end: this.#at, by: text });
  }

  /** Replaces what stands between a place and the cursor. */
  complete(from: number, by: string): void {
    this.#replace(from, { end: this.#at, by });
  }

  /** Changes the text or moves the cursor; false for a key that does neither. */
  apply(key: Key): boolean {
    switch (key.name) {
      case "text":
        this.insert(key.text.replaceAll("\t", "  "));
        return true;
      case "newline":
        this.insert("\n");
        return true;
      case "backspace":
        this.complete(this.#before(), "");
        return true;
      case "delete":
        this.#replace(this.#at, { end: this.#after(), by: "" });
        return true;
      case "erase-word":
        this.complete(this.#wordLeft(), "");
        return true;
      case "erase-left":
        this.complete(this.#lineStart(), "");
        return true;
      case "erase-right":
        this.#replace(this.#at, { end: this.#lineEnd(), by: "" });
        return true;
      default:
        return this.#move(key);
    }
  }

  #move({ name }: Key): boolean {
    switch (name) {
      case "left":
        this.#at = this.#before();
        return true;
      case "right":
        this.#at = this.#after();
        return true;
      case "word-left":
        this.#at = this.#wordLeft();
        return true;
      case "word-right":
        this.#at = this.#wordRight();
        return true;
      case "home":
        this.#at = this.#lineStart();
        return true;
      case "end":
        this.#at = this.#lineEnd();
        return true;
      case "up":
        return this.#up();
      case "down":
        return this.#down();
      default:
        return false;
    }
  }

  /** In the first line: what was typed before. */
  #up(): boolean {
    const start = this.#lineStart();
    if (start === 0) return this.#recall(this.#shown - 1);
    const above = this.#text.lastIndexOf("\n", start - 2) + 1;
    this.#at = Math.min(above + this.#at - start, start - 1);
    return true;
  }

  #down(): boolean {
    const end = this.#lineEnd();
    if (end === this.#text.length) return this.#recall(this.#shown + 1);
    const next = this.#text.indexOf("\n", end + 1);
    this.#at = Math.min(end + 1 + this.#at - this.#lineStart(), next < 0 ? this.#text.length : next);
    return true;
  }

  #recall(index: number): boolean {
    if (index < 0 || index > this.#history.length) return false;
    if (this.#shown === this.#history.length) this.#draft = this.#text;
    this.#shown = index;
    this.set(this.#history[index] ?? this.#draft);
    return true;
  }

  #replace(start: number, { end, by }: { readonly end: number; readonly by: string }): void {
    this.#text = this.#text.slice(0, start) + by + this.#text.slice(end);
    this.#at = start + by.length;
  }

  #before(): number {
    return this.#at - (lastCharacter(this.#text.slice(0, this.#at))?.length ?? 0);
  }

  #after(): number {
    const [first] = new Intl.Segmenter().segment(this.#text.slice(this.#at));
    return this.#at + (first?.segment.length ?? 0);
  }

  #wordLeft(): number {
    return this.#text.slice(0, this.#at).replace(/\S*\s*$/, "").length;
  }

  #wordRight(): number {
    return this.#at + (/^\s*\S*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0);
  }

  #lineStart(): number {
    return this.#text.lastIndexOf("\n", this.#at - 1) + 1;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }
}

/** As it is seen: with its accents, or an emoji of several. */
function lastCharacter(text: string): string | undefined {
  return Array.from(new Intl.Segmenter().segment(text.slice(-64)), ({ segment }) => segment).at(-1);
}
