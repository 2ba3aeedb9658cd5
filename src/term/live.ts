/**
 * The screen while something is being written: lines that stay, and below them a region that is drawn again and again. It
 * knows how many rows of the window that region takes, also after the window was resized.
 */
import { widthOf } from "./width.ts";

export interface Window {
  /** Writes as it is. */
  write(text: string): void;
  /** Of the window, now. */
  size(): { readonly columns: number; readonly rows: number };
}

/** Where the cursor stands in the region: rows above its last one, and the column from 0. */
export interface CursorPlace {
  readonly up: number;
  readonly column: number;
}

const ESCAPES = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, "g");

export class Live {
  readonly #window: Window;
  /** The lines of the region as they stand on the screen, and where the cursor is in them. */
  #drawn: readonly string[] = [];
  #up = 0;

  constructor(window: Window) {
    this.#window = window;
  }

  /** Writes lines that stay, in place of the region. */
  commit(lines: readonly string[]): void {
    this.#window.write(this.#erase() + lines.map((line) => `${line}\n`).join(""));
    this.#drawn = [];
    this.#up = 0;
  }

  /** Draws the region; of one that is taller than the window, the end. Lines must fit the window's width. */
  show(lines: readonly string[], cursor?: CursorPlace): void {
    const { rows } = this.#window.size();
    const fitting = lines.slice(-Math.max(1, rows - 1));
    if (fitting.length === 0 && this.#drawn.length === 0) return;
    const up = Math.min(cursor?.up ?? 0, fitting.length - 1);
    const place = cursor
      ? `${up > 0 ? `\x1b[${up}A` : ""}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ""}`
      : "";
    this.#window.write(this.#erase() + fitting.join("\n") + place);
    this.#drawn = fitting;
    this.#up = up;
  }

  #erase(): string {
    if (this.#drawn.length === 0) return "";
    const { columns } = this.#window.size();
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line.replace(ESCAPES, "")) / columns));
    const above = this.#drawn.slice(0, this.#drawn.length - this.#up);
    const up = above.reduce((sum, line) => sum + rowsOf(line), -1);
    return `${up > 0 ? `\x1b[${up}A` : ""}\r\x1b[J`;
  }
}
