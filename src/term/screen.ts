/**
 * What a conversation shows at the bottom of the window: the piece of the answer that is being written, a sign of life, and
 * the line that is being typed. What is finished goes above, for good.
 */
import { type CursorPlace, Live, type Window } from "./live.ts";
import { painted } from "./plain_text.ts";

export interface InputArea {
  readonly lines: readonly string[];
  readonly cursor: CursorPlace;
}

export class Screen {
  readonly #live: Live;
  readonly #window: Window;
  #piece: readonly string[] = [];
  #status: string | undefined;
  #input: InputArea | undefined;

  constructor(window: Window) {
    this.#window = window;
    this.#live = new Live(window);
  }

  get columns(): number {
    return this.#window.size().columns;
  }

  /** Writes lines for good; what is being written goes on below. */
  commit(lines: readonly string[]): void {
    this.#live.commit(lines.map(painted));
    this.#draw();
  }

  /** The piece that is being written; undefined members stay as they are, and an empty piece or status is none. */
  show({ piece = this.#piece, status = this.#status }: { piece?: readonly string[]; status?: string }): void {
    this.#piece = piece;
    this.#status = status === "" ? undefined : status;
    this.#draw();
  }

  /** The line that is being typed; undefined for none. */
  setInput(input: InputArea | undefined): void {
    this.#input = input;
    this.#draw();
  }

  #draw(): void {
    const status = this.#status === undefined ? [] : [this.#status];
    this.#live.show(
      [...this.#piece, ...status, ...this.#input?.lines ?? []].map(painted),
      this.#input?.cursor,
    );
  }
}
