/**
 * The one conversation of a `saber rpc` process: its session, the run that goes on, and what the host may know of both.
 * It turns a run's events into events of the protocol; it reads no commands.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import type { Model, OpenDatabases } from "../../app.ts";
import { Fault, toFault } from "../../base/fault.ts";
import type { Log } from "../../base/log.ts";
import type { Shelf } from "../../store/shelf.ts";
import type { Event, Id } from "../../wire/frame.ts";
import type { EventFields } from "./contract/spelled.ts";
import { type RunFacts, spellEvent } from "./spelling.ts";
import { type Setting, stateOf } from "./state.ts";
import { DeltaBundler } from "../session/delta_bundler.ts";
import type { Thread } from "../session/thread.ts";

export interface ConversationOptions {
  readonly session: Session;
  readonly setting: Setting;
  readonly thread: Pick<Thread, "id" | "reset">;
  /** Opens the model that the saved settings name now. */
  openModel(): Promise<Model>;
  readonly shelf: Shelf;
  readonly log: Log;
  /** Writes one event to the host; settles when the host keeps up. */
  emit(event: Event): Promise<void>;
}

export class Conversation {
  readonly session: Session;
  readonly databases: OpenDatabases;
  readonly shelf: Shelf;
  readonly #options: ConversationOptions;
  /** Settles when the host has been told of the latest run's end. */
  #run: Promise<void> = Promise.resolve();
  #begun: Promise<void> = Promise.resolve();
  /** While a reply that has to precede the events of the run is on its way. */
  #held: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ConversationOptions) {
    this.session = options.session;
    this.databases = options.setting.databases;
    this.shelf = options.shelf;
    this.#options = options;
  }

  state() {
    const { running, model, thinkingLevel, messageCount, pendingSteers } = this.session;
    const progress = { running, model, thinkingLevel, messageCount, pendingSteers };
    return stateOf(this.#options.setting, { ...progress, threadId: this.#options.thread.id });
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
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begun = promise;
    return () => {
      const begin = { promptId: id ?? undefined, begun: resolve };
      this.#run = this.#tell(events, begin).catch((error) => this.#breakOff(error)).finally(resolve);
    };
  }

  /** Settles when the host has been told that the latest run has begun. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  /** Settles when a run that has come to its end was saved and told of; at once while one goes on. */
  get settled(): Promise<void> {
    return this.session.running && !this.session.keeping ? Promise.resolve() : this.#run;
  }

  /**
   * Queues what the user says for the run that goes on. No event of the run is told until `told` is called, which tells
   * of the queue first; call it when the host has the reply.
   */
  steer(message: string): { readonly pendingSteers: readonly string[]; readonly told: () => void } {
    if (!this.session.takesSteers) {
      throw new Fault("bad_state", 'No query is running. Send {"type":"prompt"} instead.');
    }
    this.session.steer(message);
    const pendingSteers = this.session.pendingSteers;
    return { pendingSteers, told: this.#hold(pendingSteers) };
  }

  /** Takes back what the model has not been told; `told` as for `steer`. */
  clearSteers(): { readonly steering: readonly string[]; readonly told: () => void } {
    const steering = this.session.clearSteers();
    return { steering, told: steering.length === 0 ? () => {} : this.#hold([]) };
  }

  /** Forgets the conversation; its thread stays in the store. */
  startAnew(): void {
    this.requireIdle();
    this.session.newSession();
    this.#options.thread.reset();
  }

  /** Reads the model settings anew, for the runs to come. When that fails, all stays as it was. */
  async reloadModel(): Promise<void> {
    this.requireIdle();
    this.session.setModel(await this.#options.openModel());
  }

  /** Ends the run that goes on; settles when its `agent_end` has been written. Whether a run was aborted. */
  async abort(): Promise<boolean> {
    const isAborted = await this.session.abort(); // also true when an earlier abort is still ending the run
    await this.#run;
    return isAborted;
  }

  /** No further command is taken; a run is aborted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.abort();
  }

  async #tell(
    events: AsyncIterable<AgentEvent>,
    { promptId, begun }: Pick<RunFacts, "promptId"> & { readonly begun: () => void },
  ): Promise<void> {
    const { thread, emit } = this.#options;
    let deltas = this.#bundler();
    for await (const event of events) {
      if (event.type === "message_start") deltas = this.#bundler();
      if (event.type === "message_update" && "delta" in event.update) {
        await deltas.take(event.update);
        continue;
      }
      await deltas.flush();
      await this.#held;
      const facts = { promptId, threadId: thread.id, steering: this.session.pendingSteers };
      const told = emit(spellEvent(event, facts));
      begun();
      await told;
      if (event.type === "agent_end") this.#options.log(`a run ended: ${event.status}`, { level: "info" });
    }
  }

  #bundler(): DeltaBundler {
    const { thread, emit } = this.#options;
    return new DeltaBundler(async (update) => {
      await this.#held;
      const facts = { promptId: undefined, threadId: thread.id, steering: [] };
      await emit(spellEvent({ type: "message_update", update }, facts));
    });
  }

  /** Ends a run of which something cannot be told, for a host that waits for its end. */
  async #breakOff(error: unknown): Promise<void> {
    const { log, emit, thread } = this.#options;
    log("telling of a run failed", { level: "error", error });
    const fault = toFault(error);
    const facts = { promptId: undefined, threadId: thread.id, steering: [] };
    if (this.session.clearSteers().length > 0) await emit(spellEvent({ type: "queue_update" }, facts));
    await emit(spellEvent({ type: "agent_end", status: "error", error: fault.message, fault }, facts));
  }

  #hold(steering: readonly string[]): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      void this.#options.emit({
        kind: "event",
        method: "queue_update",
        data: { steering } satisfies EventFields<"queue_update">,
      });
      resolve();
    };
  }
}
