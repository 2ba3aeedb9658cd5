/**
 * `saber` at a terminal: a line to type in, conversations above it. Keys are read also while a run goes on, so that it can be
 * steered or stopped.
 */
import type { App, Io } from "../../app.ts";
import { toFault } from "../../base/fault.ts";
import { fullText } from "../../base/fault_text.ts";
import { addToHistory, readHistory } from "../../settings/history.ts";
import { Editor } from "../../term/editor.ts";
import { type Key, PASTE_OFF, PASTE_ON, readKeys } from "../../term/keys.ts";
import { Screen } from "../../term/screen.ts";
import { paintOf } from "../paint_of.ts";
import { goOnHint } from "../view/go_on_hint.ts";
import { Catalog } from "./catalog.ts";
import { Chat } from "./chat.ts";
import { Prompt } from "./prompt.ts";
import { SLASH_COMMANDS } from "./slash_commands.ts";

/** `thread`: the id of the one to go on with. The exit code. */
export async function talk(
  app: App,
  io: Io,
  { thread }: { readonly thread: string | undefined },
): Promise<number> {
  const { terminal } = io;
  const paint = await paintOf(app, { isTerminal: true });
  const screen = new Screen({ write: terminal.write, size: terminal.size });
  const chat = await Chat.open({ app, io, screen, paint }, thread);
  chat.say("Ask a question. /help shows the commands, Ctrl+D leaves.");
  const catalog = new Catalog(() => chat.databases, io.stop);
  const editor = new Editor(await readHistory(app.config.folders.config));
  const talk = new Talk({ chat, catalog, prompt: new Prompt({ editor, chat, catalog }) });
  terminal.setRaw(true);
  terminal.write(PASTE_ON);
  const stopWatching = terminal.onResize(() => talk.draw());
  try {
    await talk.run(io);
  } finally {
    stopWatching();
    screen.setInput(undefined);
    terminal.write(PASTE_OFF);
    terminal.setRaw(false);
    await chat.close();
  }
  if (chat.thread.id !== null) chat.say(goOnHint(chat.thread.id, chat.databases));
  return 0;
}

interface TalkOptions {
  readonly chat: Chat;
  readonly catalog: Catalog;
  readonly prompt: Prompt;
}

class Talk {
  readonly #options: TalkOptions;
  /** What goes on: a run, or a command. */
  #work: Promise<void> | undefined;
  #isLeaving = false;
  /** Ctrl+C was the last key, with nothing to stop. */
  #isWarned = false;
  #wake = Promise.withResolvers<void>();

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Until the person leaves, the input ends or the program is told to end. */
  async run({ input, stop }: Io): Promise<void> {
    const reader = input.pipeThrough(new TextDecoderStream());
    const keys = readKeys(reader);
    stop.addEventListener("abort", () => this.#leave(), { once: true });
    this.draw();
    while (!this.#isLeaving) {
      const next = await Promise.race([keys.next(), this.#wake.promise]);
      if (!next || next.done) break;
      await this.#take(next.value);
    }
    reader.cancel().catch(() => {}); // it may be locked by the pending read
    await this.#options.chat.session.abort();
    await this.#work;
  }

  draw(): void {
    this.#options.prompt.draw({ isRunning: this.#work !== undefined });
  }

  async #take(key: Key): Promise<void> {
    const { prompt } = this.#options;
    const wasWarned = this.#isWarned;
    this.#isWarned = false;
    switch (key.name) {
      case "interrupt":
        await this.#interrupt(wasWarned);
        break;
      case "end-of-input":
        if (prompt.isEmpty && this.#work === undefined) this.#leave();
        break;
      case "enter":
        if (!prompt.continues()) this.#submit(prompt.take());
        break;
      default:
        await prompt.apply(key);
    }
    if (!this.#isLeaving) this.draw();
  }

  /** Stops the run; else forgets the text; else, the second time, leaves. */
  async #interrupt(wasWarned: boolean): Promise<void> {
    const { chat, prompt } = this.#options;
    if (chat.session.running) await chat.session.abort();
    else if (!prompt.isEmpty) prompt.clear();
    else if (wasWarned) this.#leave();
    else {
      this.#isWarned = true;
      chat.say("Ctrl+C again, or Ctrl+D, leaves.");
    }
  }

  #leave(): void {
    this.#isLeaving = true;
    this.#wake.resolve();
  }

  #submit(text: string): void {
    const { chat } = this.#options;
    const line = text.trim();
    if (line === "") return;
    if (this.#work !== undefined) return this.#steer(line);
    if (/^(?:exit|quit)$/i.test(line)) return this.#leave();
    addToHistory(chat.app.config.folders.config, line).catch((error) => {
      chat.app.log("the history could not be written", { level: "warning", error });
    });
    this.#work = this.#perform(line).catch((error) => this.#showFailure(error)).finally(() => {
      this.#work = undefined;
      if (!this.#isLeaving) this.draw();
    });
  }

  #steer(text: string): void {
    const { chat } = this.#options;
    if (!chat.session.takesSteers) return chat.say("Wait until this is done, or stop it with Ctrl+C.");
    chat.session.steer(text);
    chat.say(`Will be told: ${text}`);
  }

  async #perform(line: string): Promise<void> {
    const { chat, catalog, prompt } = this.#options;
    if (!line.startsWith("/")) return await chat.ask(line);
    const [name = "", ...rest] = line.split(/\s+/);
    const command = Object.hasOwn(SLASH_COMMANDS, name) ? SLASH_COMMANDS[name] : undefined;
    if (!command) return chat.say(`There is no command ${name}. /help shows them.`);
    const around = { chat, catalog, leave: () => this.#leave(), offer: (text: string) => prompt.offer(text) };
    await command.run(around, rest.join(" "));
  }

  #showFailure(error: unknown): void {
    const { chat } = this.#options;
    const fault = toFault(error);
    if (fault.code === "internal") chat.app.log("a command of the session failed", { level: "error", error });
    chat.fail(fullText(fault));
  }
}
