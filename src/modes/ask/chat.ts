/**
 * The conversation of an interactive session: what is open, and the run that goes on. It shows runs, and reads no keys.
 */
import type { App, Io } from "../../app.ts";
import type { Paint } from "../../term/paint.ts";
import { lines, oneLine } from "../../term/plain_text.ts";
import type { Screen } from "../../term/screen.ts";
import { wrap } from "../../term/wrap.ts";
import { begin, type Begun } from "../session/begin.ts";
import { type OpenSession, openSession } from "../session/open.ts";
import { entryLines, questionLines } from "../view/entry_lines.ts";
import { TerminalView } from "../view/terminal_view.ts";
import { entriesOf } from "../view/transcript.ts";

export interface ChatOptions {
  readonly app: App;
  readonly io: Io;
  readonly screen: Screen;
  readonly paint: Paint;
}

/** Rows of each result of an earlier session that are shown again. */
const SHOWN_ROWS = 20;

export class Chat {
  readonly app: App;
  readonly screen: Screen;
  readonly paint: Paint;
  readonly #io: Io;
  #begun: Begun;
  #open: OpenSession;

  private constructor(
    { app, io, screen, paint }: ChatOptions,
    begun: Begun,
    { open }: { open: OpenSession },
  ) {
    this.app = app;
    this.screen = screen;
    this.paint = paint;
    this.#io = io;
    this.#begun = begun;
    this.#open = open;
  }

  /** `thread`: the id of the one to go on with, whose transcript is shown. Throws what begin throws. */
  static async open(options: ChatOptions, thread: string | undefined): Promise<Chat> {
    const begun = await begin(options.app, thread);
    const warn = (text: string) => options.screen.commit([oneLine(text)]);
    const chat = new Chat(options, begun, { open: await openSession(options.app, { ...begun, warn }) });
    await chat.#showTranscript();
    chat.showTitle();
    return chat;
  }

  get session() {
    return this.#open.session;
  }

  get thread() {
    return this.#open.thread;
  }

  get shelf() {
    return this.#open.shelf;
  }

  get databases() {
    return this.#begun.databases;
  }

  /** Aborted when the program is told to end. */
  get stop(): AbortSignal {
    return this.#io.stop;
  }

  /** What the person talks to, and about. */
  showTitle(): void {
    const names = this.databases.list.map(({ name, displayName }) => `${name} (${displayName})`).join(", ");
    this.say(`${names} · ${this.session.model.id}`);
  }

  /** Says something in the program's own voice. */
  say(text: string): void {
    this.screen.commit(
      wrap([{ text: lines(text), roles: ["muted"] }], { width: this.screen.columns, paint: this.paint }),
    );
  }

  fail(text: string): void {
    this.screen.commit(
      wrap([{ text: `✗ ${lines(text)}`, roles: ["error"] }], {
        width: this.screen.columns,
        paint: this.paint,
      }),
    );
  }

  /** One question and its answer. Never throws: what goes wrong is shown. */
  async ask(question: string): Promise<void> {
    const { screen, paint, session, shelf } = this;
    screen.commit(["", ...questionLines(question, { columns: screen.columns, paint })]);
    const view = new TerminalView({ screen, paint, shelf });
    for await (const event of session.prompt(question, { signal: this.stop })) {
      await view.show(event);
    }
  }

  /** Begins anew; what was said stays in its thread. */
  clear(): void {
    this.session.newSession();
    this.thread.reset();
  }

  /** Goes on with other databases. When they cannot be opened, all stays as it was. */
  async reopen(selectors: readonly string[]): Promise<void> {
    const databases = await this.app.openDatabases(selectors);
    const { session, thread } = this;
    const begun: Begun = {
      databases,
      model: session.model,
      thinkingLevel: session.thinkingLevel,
      systemPrompt: this.#begun.systemPrompt,
      place: thread.place,
      messages: session.messages,
    };
    const before = [this.#begun.databases, this.#open.shelf];
    this.#open = await openSession(this.app, { ...begun, warn: (text) => this.say(text) });
    this.#begun = begun;
    await Promise.all(before.map((each) => each.close()));
  }

  async close(): Promise<void> {
    await this.session.abort();
    await Promise.all([this.databases.close(), this.shelf.close()]);
  }

  async #showTranscript(): Promise<void> {
    const { screen, paint, shelf } = this;
    for await (const entry of entriesOf(this.#begun.messages, { shelf, maxRows: SHOWN_ROWS })) {
      screen.commit(await entryLines(entry, { columns: screen.columns, paint }));
    }
  }
}
