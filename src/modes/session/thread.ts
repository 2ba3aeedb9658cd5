/**
 * The saved thread of a conversation: where it stands, and how a completed turn gets there.
 * How threads are stored is store/threads.ts's.
 */
import { abortable } from "../../base/abortable.ts";
import { Fault } from "../../base/fault.ts";
import type { Completed } from "../../agent/session.ts";
import type { App } from "../../app.ts";
import type { Place, ThreadAbout } from "../../store/threads.ts";
import type { Shelf } from "../../store/shelf.ts";

export interface ThreadOptions {
  readonly app: App;
  /** Where a resumed thread stands. */
  readonly place: Place | null;
  readonly shelf: Shelf;
  /** Tells the person at stderr. */
  warn(text: string): void;
  about(): ThreadAbout;
}

export class Thread {
  readonly #options: ThreadOptions;
  #place: Place | null;
  /** Messages at the conversation's end that could not be saved; they go with the next turn. */
  #unsaved = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#place = options.place;
  }

  /** Null before the first completed turn, and always where nothing is kept. */
  get id(): string | null {
    return this.#place?.id ?? null;
  }

  /** Where it stands in the store; null as long as it has no id. */
  get place(): Place | null {
    return this.#place;
  }

  /** The next turn begins a thread of its own. */
  reset(): void {
    this.#place = null;
    this.#unsaved = 0;
  }

  /**
   * Saves a turn. One that cannot be saved is told on stderr, and the run goes on. Throws when the signal is aborted while
   * another process keeps it waiting.
   */
  async commit({ conversation, added, signal }: Completed): Promise<void> {
    const { app, about, warn } = this.#options;
    if (!app.config.keepThread) return;
    const unsaved = this.#unsaved + added;
    try {
      const store = await abortable(app.openThreads(), signal);
      const [before, turn] = [conversation.slice(0, -unsaved), conversation.slice(-unsaved)];
      const { place, forked } = await store.commit(this.#place, { before, turn, about: about(), signal });
      if (forked) {
        warn(`saber: another process went on with thread ${this.#place?.id}; this one is now ${place.id}.`);
      }
      this.#place = place;
      this.#unsaved = 0;
      await this.#sweep(() => store.texts());
    } catch (error) {
      signal.throwIfAborted();
      this.#unsaved = unsaved;
      app.log("a turn could not be saved", { level: "error", error });
      const why = error instanceof Fault ? error.message : "The log has the details.";
      warn(`saber: the conversation could not be saved. ${why}`);
    }
  }

  async #sweep(texts: () => Iterable<string>): Promise<void> {
    const { app, shelf } = this.#options;
    try {
      await shelf.sweep(texts);
    } catch (error) {
      app.log("old results could not be removed", { level: "warning", error });
    }
  }
}
