/**
 * The line in which a person types: its text, and what could complete it.
 */
import { toFault } from "../../base/fault.ts";
import type { Editor } from "../../term/editor.ts";
import { inputArea } from "../../term/input_lines.ts";
import type { Key } from "../../term/keys.ts";
import type { Catalog } from "./catalog.ts";
import type { Chat } from "./chat.ts";
import { complete, type Completion } from "./completion.ts";
import { SLASH_COMMANDS } from "./slash_commands.ts";

export interface PromptOptions {
  readonly editor: Editor;
  readonly chat: Chat;
  readonly catalog: Catalog;
}

/** Completions that are shown at once. */
const SHOWN = 8;

export class Prompt {
  readonly #options: PromptOptions;
  #found: Completion = { from: 0, options: [] };
  /** Of the option that Tab has put in. */
  #chosen = -1;

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#options.editor.text === "";
  }

  /** A backslash at the end of the line becomes a new line instead of sending it. */
  continues(): boolean {
    const { editor } = this.#options;
    if (!editor.text.endsWith("\\") || editor.cursor !== editor.text.length) return false;
    editor.complete(editor.text.length - 1, "\n");
    return true;
  }

  take(): string {
    this.#forget();
    return this.#options.editor.take();
  }

  clear(): void {
    this.offer("");
  }

  offer(text: string): void {
    this.#forget();
    this.#options.editor.set(text);
  }

  async apply(key: Key): Promise<void> {
    const { editor } = this.#options;
    if (key.name === "tab" || key.name === "back-tab") return await this.#next(key.name === "tab" ? 1 : -1);
    if (!editor.apply(key)) return;
    this.#forget();
    if (/(?:^\/|(?:^|\s)@)\S*$/.test(editor.text.slice(0, editor.cursor))) await this.#look();
  }

  draw({ isRunning }: { readonly isRunning: boolean }): void {
    const { editor, chat: { screen, paint } } = this.#options;
    const options = this.#found.options.slice(0, SHOWN);
    const hints = options.map((option, index) => `${index === this.#chosen ? "▸" : " "} ${option}`);
    screen.setInput(
      inputArea(editor, { columns: screen.columns, paint, sign: isRunning ? "… " : "❯ ", hints }),
    );
  }

  /** Puts the next option in. */
  async #next(step: number): Promise<void> {
    const { editor } = this.#options;
    if (this.#found.options.length === 0) await this.#look();
    const count = Math.min(SHOWN, this.#found.options.length);
    if (count === 0) return;
    this.#chosen = this.#chosen < 0 && step < 0 ? count - 1 : (this.#chosen + step + count) % count;
    editor.complete(this.#found.from, this.#found.options[this.#chosen] ?? "");
  }

  async #look(): Promise<void> {
    const { editor, catalog, chat } = this.#options;
    try {
      const before = editor.text.slice(0, editor.cursor);
      this.#found = await complete(before, { commands: Object.keys(SLASH_COMMANDS), catalog });
    } catch (error) {
      chat.app.log(`completion failed: ${toFault(error).message}`, { level: "info" });
    }
  }

  #forget(): void {
    this.#found = { from: 0, options: [] };
    this.#chosen = -1;
  }
}
