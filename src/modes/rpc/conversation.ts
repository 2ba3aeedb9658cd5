/**
 * The one conversation of a `saber rpc` process: its session, the run that goes on, and what the host may know of both.
 * It turns a run's events into events of the protocol; it reads no commands.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import type { Model, OpenDatabases } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { THINKING_LEVELS } from "../../settings/model.ts";
import type { ResultStore } from "../../store/results.ts";
import type { Event, Id } from "../../wire/frame.ts";
import { type RunFacts, spellEvent } from "./spelling.ts";

export interface ConversationOptions {
  readonly session: Session;
  readonly model: Model;
  readonly databases: OpenDatabases;
  readonly results: ResultStore;
  readonly dangerous: boolean;
  readonly csvToolResults: boolean;
  readonly log: Log;
  /** Writes one event to the host; settles when the host keeps up. */
  emit(event: Event): Promise<void>;
}

export class Conversation {
  readonly session: Session;
  readonly databases: OpenDatabases;
  readonly results: ResultStore;
  readonly #options: ConversationOptions;
  #run: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: ConversationOptions) {
    this.session = options.session;
    this.databases = options.databases;
    this.results = options.results;
    this.#options = options;
  }

  /** The contract's State. */
  state(): { readonly [key: string]: Json } {
    const { session, databases } = this;
    const { model, dangerous, csvToolResults } = this.#options;
    const [primary] = databases.list;
    return {
      state: session.running ? "running" : "idle",
      database: {
        name: primary?.name ?? "",
        type: primary?.displayName ?? "",
        names: databases.list.map(({ name }) => name),
      },
      model: { name: model.name, id: model.id },
      thinkingLevel: session.thinkingLevel,
      thinkingLevels: THINKING_LEVELS,
      dangerousMode: dangerous,
      csvToolResults,
      threadId: null,
      threadPersistence: false,
      messageCount: session.messageCount,
      pendingSteers: [...session.pendingSteers],
    };
  }

  /** Throws Fault `bad_state` unless nothing runs; `forPrompt` has a sentence of its own. */
  requireIdle(what: "prompt" | "other" = "other"): void {
    if (!this.session.running) return;
    const subject = what === "prompt" ? "A query is already running" : "A query is running";
    throw new Fault("bad_state", `${subject}. Send {"type":"abort"} or wait for agent_end.`);
  }

  requireOpen(): void {
    if (this.#isClosed) throw new Fault("closed", "Session is closed");
  }

  /** Accepts a prompt. The returned function starts to tell of the run; call it when the host knows of the acceptance. */
  accept(message: string, id: Id | undefined): () => void {
    this.requireIdle("prompt");
    const events = this.session.prompt(message);
    return () => {
      this.#run = this.#tell(events, id ?? undefined).catch((error) => {
        this.#options.log("telling of a run failed", { level: "error", error });
      });
    };
  }

  /** Ends the run that goes on; settles when its `agent_end` has been written. False when nothing ran. */
  async abort(): Promise<boolean> {
    const wasRunning = this.session.running;
    await this.session.abort();
    await this.#run;
    return wasRunning;
  }

  /** No further command is taken; a run is aborted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.abort();
  }

  async #tell(events: AsyncIterable<AgentEvent>, promptId: RunFacts["promptId"]): Promise<void> {
    for await (const event of events) {
      await this.#options.emit(spellEvent(event, { promptId, threadId: null }));
    }
  }
}
