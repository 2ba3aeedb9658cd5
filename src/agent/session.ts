/**
 * One conversation with the agent: its history, and at most one run at a time. It speaks of events and messages;
 * how they travel, and where a conversation is kept, is other files' work.
 */
import { Fault } from "../base/fault.ts";
import type { Model, ThinkingLevel, UserMessage } from "../llm/provider.ts";
import { answerText } from "./answer_text.ts";
import type { AgentEnd, AgentEvent, TranscriptMessage } from "./events.ts";
import { runAgent } from "./loop.ts";
import { MessageQueue } from "./message_queue.ts";
import type { Asking, CallOrder, RunOptions } from "./run.ts";
import { Running } from "./running.ts";

export interface SessionOptions extends Asking, Pick<RunOptions, "toolbox" | "log"> {
  /** What was said before, in a conversation that goes on. */
  readonly history?: readonly TranscriptMessage[];
  /** Tells the person who asks, beside the answers; when left out, the log is told. */
  warn?(text: string): void;
  /** `together` when left out. */
  readonly calls?: CallOrder["order"];
  /** What waits when a run ends early is kept for the next one; otherwise it is dropped. */
  readonly keepsQueue?: boolean;
  /** Keeps a completed turn before its end is told. When it throws after the signal was aborted, the run is aborted. */
  keep?(completed: Completed): Promise<void>;
}

/** A turn that is complete. */
export interface Completed {
  /** All messages, those of the turn last. */
  readonly conversation: readonly TranscriptMessage[];
  /** Messages of the turn. */
  readonly added: number;
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
}

export class Session {
  readonly queue: MessageQueue = new MessageQueue();
  /** `immediate`: with calls in turn, a waiting steer skips those that have not begun. */
  interruptMode: "immediate" | "wait" = "wait";
  readonly #options: SessionOptions;
  #model: Model;
  #system: string;
  #thinking: ThinkingLevel;
  #messages: readonly TranscriptMessage[];
  /** Kept until its last event has been read, so that an abort can wait for it. */
  #run: Running | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#model = options.model;
    this.#system = options.system;
    this.#thinking = options.thinking;
    this.#messages = options.history ?? [];
  }

  get running(): boolean {
    return this.#run !== undefined && this.#run.status === undefined;
  }

  /** Whether the run that goes on has nothing more to do than to keep its turn. */
  get keeping(): boolean {
    return this.#run?.isKeeping ?? false;
  }

  /** The committed conversation: whole, completed turns only. A later commit makes a new list. */
  get messages(): readonly TranscriptMessage[] {
    return this.#messages;
  }

  get messageCount(): number {
    return this.#messages.length;
  }

  /** The text of the latest assistant message; null when there is none. */
  get lastAssistantText(): string | null {
    const last = this.#messages.findLast((message) => message.role === "assistant");
    return last ? answerText(last) : null;
  }

  /** What the user said in mid-run and the model has not been told yet. */
  get pendingSteers(): readonly string[] {
    return this.queue.steers.map(({ content }) => content);
  }

  /** Whether what the user says in mid-run still reaches the model. */
  get takesSteers(): boolean {
    return this.#run?.isOpen ?? false;
  }

  get model(): Model {
    return this.#model;
  }

  /** For the requests to come. */
  setModel(model: Model): void {
    this.#model = model;
  }

  get system(): string {
    return this.#system;
  }

  /** For the requests to come. */
  setSystem(system: string): void {
    this.#system = system;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#thinking;
  }

  /** For the requests to come. */
  setThinkingLevel(level: ThinkingLevel): void {
    this.#thinking = level;
  }

  /** Forgets the conversation. Throws Fault `bad_state` while a run is going on. */
  newSession(): void {
    this.goOnFrom([]);
  }

  /** Puts another conversation in the place of this one. Throws Fault `bad_state` while a run is going on. */
  goOnFrom(history: readonly TranscriptMessage[]): void {
    this.#requireIdle();
    this.#messages = history;
  }

  /**
   * Begins a run, which goes on as its events are read and ends with exactly one `agent_end`. When that comes, the turn
   * is committed (completed) or nothing has changed (aborted, error), and the next run may begin. Leaving the events
   * early, or aborting the signal, stops the run. Throws Fault `bad_state` while another one is going on.
   */
  prompt(text: string, options?: { readonly signal?: AbortSignal }): AsyncGenerator<AgentEvent, void> {
    return this.run([{ role: "user", content: text, timestamp: Date.now() }], options);
  }

  /** The same with several messages, or with none: then the conversation goes on as it stands. */
  run(
    prompt: readonly UserMessage[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<AgentEvent, void> {
    this.#requireIdle();
    const run = new Running(this.queue);
    this.#run = run;
    return this.#drive(run, { prompt, signal });
  }

  /**
   * Stops the run and waits until its `agent_end` has been read: at most a second after the call if the reader keeps up.
   * Whether a run was aborted.
   */
  async abort(): Promise<boolean> {
    const run = this.#run;
    if (run === undefined) return false;
    if (run.status === undefined) run.stop();
    await run.over;
    return run.status === "aborted";
  }

  /**
   * Says something to the running model before its next request, or makes the run go on with one more.
   * Throws Fault `bad_state` when nothing runs (any more), `busy` when too much waits already.
   */
  steer(text: string): void {
    if (!this.takesSteers) throw new Fault("bad_state", "Cannot steer: no query is running.");
    this.queue.addSteer({ role: "user", content: text, timestamp: Date.now() });
  }

  /** Takes back what has not been told yet. */
  clearSteers(): readonly string[] {
    return this.queue.clear().steers.map(({ content }) => content);
  }

  async *#drive(
    run: Running,
    { prompt, signal }: { readonly prompt: readonly UserMessage[]; readonly signal: AbortSignal | undefined },
  ): AsyncGenerator<AgentEvent, void> {
    const stop = () => run.stop();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const { toolbox, log } = this.#options;
    const skips = () => this.interruptMode === "immediate" && this.queue.steers.length > 0;
    const calls: CallOrder = this.#options.calls === "in turn"
      ? { order: "in turn", skips }
      : { order: "together" };
    try {
      const events = runAgent({
        ...{ toolbox, log, calls, prompt, history: this.#messages },
        warn: (text) => this.#warn(text),
        asking: () => ({ model: this.#model, thinking: this.#thinking, system: this.#system }),
        signal: run.stopped,
        cut: run.cut,
        take: (moment) => run.take(moment),
      });
      for await (const event of events) {
        if (event.type === "agent_end") yield* this.#finish(run, event);
        else yield event;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      run.status ??= "aborted";
      if (this.#run === run) this.#run = undefined;
      run.end();
    }
  }

  #warn(text: string): void {
    const { log, warn } = this.#options;
    if (warn) warn(text);
    else log(text, { level: "warning" });
  }

  async *#finish(run: Running, end: AgentEnd): AsyncGenerator<AgentEvent, void> {
    run.close();
    if (!this.#options.keepsQueue && this.queue.clear().steers.length > 0) yield { type: "queue_update" };
    const kept = end.status === "completed" ? await this.#keep(run, end) : end;
    run.status = kept.status;
    yield kept;
  }

  /** The end of a run that was completed: another one when it is stopped while its turn cannot be kept yet. */
  async #keep(run: Running, end: AgentEnd & { readonly status: "completed" }): Promise<AgentEnd> {
    const conversation = [...this.#messages, ...end.turn.messages];
    const added = end.turn.messages.length;
    run.isKeeping = true;
    try {
      await this.#options.keep?.({ conversation, added, signal: run.stopped });
    } catch (error) {
      if (!run.stopped.aborted) throw error;
      return { type: "agent_end", status: "aborted" };
    } finally {
      run.isKeeping = false;
    }
    this.#messages = conversation;
    return end;
  }

  #requireIdle(): void {
    if (this.running) throw new Fault("bad_state", "Cannot do this now: a query is running.");
  }
}
