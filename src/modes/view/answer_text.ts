/**
 * The model's text while it is being written: Markdown blocks that are whole are shown for good, the last one as it stands.
 */
import { blocksOf } from "../../term/markdown.ts";
import type { Paint } from "../../term/paint.ts";
import type { Screen } from "../../term/screen.ts";
import { answerLines } from "./entry_lines.ts";

export class AnswerText {
  readonly #screen: Screen;
  readonly #paint: Paint;
  #pending = "";
  #isShown = true;

  constructor(screen: Screen, { paint }: { readonly paint: Paint }) {
    this.#screen = screen;
    this.#paint = paint;
  }

  add(delta: string): void {
    this.#pending += delta;
    this.#isShown = false;
  }

  /** Draws what has come since the last time. */
  draw(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    const { whole, last } = blocksOf(this.#pending);
    for (const block of whole) this.#commit(block);
    this.#pending = last;
    this.#screen.show({ piece: this.#lines(last) });
  }

  /** The text has ended. */
  end(): void {
    this.draw();
    const last = this.#pending;
    this.#pending = "";
    this.#screen.show({ piece: [] });
    this.#commit(last);
  }

  #commit(block: string): void {
    const lines = this.#lines(block);
    if (lines.length > 0) this.#screen.commit([...lines, ""]);
  }

  #lines(markdown: string): string[] {
    return answerLines(markdown, { columns: this.#screen.columns, paint: this.#paint });
  }
}
