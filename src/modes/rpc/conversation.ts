/**
 * The one conversation of a `saber rpc` process: its session, the run that goes on, and what the host may know of both.
 * It turns a run's events into events of the protocol; it reads no commands.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import type { OpenDatabases } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Log } from "../../base/log.ts";
import type { ResultStore } from "../../store/results.ts";
import type { Event, Id } from "../../wire/frame.ts";
import { type RunFacts, spellEvent } from "./spelling.ts";
import { type Setting, stateOf } from "./state.ts";

export interface ConversationOptions {
  readonly session: Session;
  readonly setting: Setting;
  readonly results: ResultStore;
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
    this.databases = options.setting.databases;
    this.results = options.results;
    this.#options = options;
  }

  state() {
    return stateOf(this.#options.setting, this.session);
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
