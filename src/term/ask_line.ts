/**
 * Questions to the person at the terminal, each answered by one line. What is secret is not shown while it is typed.
 */
import { abortable } from "../base/abortable.ts";
import { Fault } from "../base/fault.ts";
import { oneLine } from "./plain_text.ts";

export interface AskingOptions {
  readonly input: ReadableStream<Uint8Array>;
  /** Writes to the terminal as it is. */
  write(text: string): void;
  /** Whether keys arrive one by one and unseen. */
  setRaw(on: boolean): void;
  readonly signal: AbortSignal;
}

const MAX_UNITS = 1 << 16;
const LINE_END = /\r\n?|\n/;

/** Disposing of it gives the input back. */
export class Asking implements Disposable {
  readonly #options: AskingOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(options: AskingOptions) {
    this.#options = options;
    this.#reader = options.input.getReader();
  }

  /** The answer; "" at the end of the input. Throws Fault `cancelled` when the signal is aborted. */
  async ask(question: string): Promise<string> {
    this.#options.write(`${oneLine(question)} `);
    return (await this.#line()).trim();
  }

  async askSecret(question: string): Promise<string> {
    const { write, setRaw } = this.#options;
    write(`${oneLine(question)} `);
    setRaw(true);
    try {
      return erased(await this.#line());
    } finally {
      setRaw(false);
      write("\n");
    }
  }

  [Symbol.dispose](): void {
    this.#reader.releaseLock();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = LINE_END.exec(this.#rest);
      if (this.#rest.includes("\x03")) throw new Fault("cancelled", "Cancelled.");
      if (end) {
        const line = this.#rest.slice(0, end.index);
        this.#rest = this.#rest.slice(end.index + end[0].length);
        return line;
      }
      if (this.#rest.length > MAX_UNITS) throw new Fault("usage", "Cannot take the answer: it is too long.");
      const { done, value } = await abortable(this.#reader.read(), this.#options.signal);
      if (done) return this.#rest;
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
  }
}

/** What is left when each backspace takes the character before it; other control characters are none of a secret. */
function erased(typed: string): string {
  const kept: string[] = [];
  for (const character of typed) {
    if (character === "\x7f" || character === "\b") kept.pop();
    else if (character >= " ") kept.push(character);
  }
  return kept.join("");
}
