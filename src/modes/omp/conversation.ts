/**
 * The one conversation of a `saber --mode rpc` process: when runs begin and end, what is told of them, and what becomes of
 * what was said. What a host may ask is in the *_commands.ts files.
 */
import type { Session } from "../../agent/session.ts";
import { Fault, toFault } from "../../base/fault.ts";
import type { Log } from "../../base/log.ts";
import { Compactor } from "./compactor.ts";
import type { HostSide } from "./host_side.ts";
import type { Emit } from "./message_teller.ts";
import type { OmpMessage, UserMessage } from "./messages.ts";
import { costOf, type Models } from "./models.ts";
import { Retries } from "./retries.ts";
import { type Prompt, RunPasses } from "./run_passes.ts";
import type { SessionTree } from "./session_tree.ts";
import type { Answerer, How } from "./spelling.ts";
import type { Reminders } from "./reminders.ts";

export interface ConversationOptions {
  readonly session: Session;
  readonly tree: SessionTree;
  readonly log: Log;
  readonly emit: Emit;
  readonly reminders: Reminders;
  /** How long a run may take. */
  readonly maxRunMs: number | undefined;
  readonly host: HostSide;
  /** The next of the models that the user listed; undefined where there is none. */
  readonly nextModel: Models["next"];
  /** Queues are told of as they change, and SQL as it is written. */
  readonly tellsExtras: boolean;
  /** Called before a run begins. */
  beginning(): void;
  /** Called before a run's end is told. */
  ending(): Promise<void>;
  /** Ends what else goes on when everything is to stop: dialogs, shells, helpers of the run. */
  stopOthers(): void;
}

/** What a run was, for whoever waits for its end. */
interface Run {
  readonly over: Promise<void>;
}

export class Conversation {
  readonly session: Session;
  readonly retries: Retries;
  readonly compactor: Compactor;
  readonly #options: ConversationOptions;
  #tree: SessionTree;
  #run: Run | undefined;
  /** Set from the acceptance of a prompt until just before its `agent_end` is told. */
  #isStreaming = false;
  #isStopping = false;
  /** While the session is being exchanged for another: what depends on it waits. */
  #change: Promise<unknown> = Promise.resolve();
  /** The host speaks as pi's do, which wait for one more frame after a run. */
  #isPiHost = false;
  /** Told to the model with the next prompt. */
  #deferred: OmpMessage[] = [];

  constructor(options: ConversationOptions) {
    this.session = options.session;
    this.#options = options;
    this.#tree = options.tree;
    this.retries = new Retries(options.emit);
    this.compactor = new Compactor({ session: options.session, tree: () => this.#tree, emit: options.emit });
  }

  get tree(): SessionTree {
    return this.#tree;
  }

  get emit(): Emit {
    return this.#options.emit;
  }

  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  /** The host has used a command that only pi's hosts know. */
  knowsPi(): void {
    this.#isPiHost = true;
  }

  /** To be called when the queue has changed. */
  async tellQueue(): Promise<void> {
    const { queue } = this.session;
    if (!this.#options.tellsExtras) return;
    await this.emit("queue_update", {
      steering: queue.steers.map(({ content }) => content),
      followUp: queue.followUps.map(({ content }) => content),
    });
  }

  get queuedMessageCount(): number {
    return this.session.queue.steers.length + this.session.queue.followUps.length;
  }

  /** Settles when no session is being exchanged. */
  async settled(): Promise<void> {
    await this.#change.catch(() => {});
  }

  answerer(): Answerer {
    const [provider = "", ...rest] = this.session.model.id.split(":");
    const { price } = this.session.model;
    return {
      ...{ api: "openai-completions", provider, model: rest.join(":") },
      price: price && costOf(price),
    };
  }

  /** Throws Fault `bad_state` where a run goes on, `no_model` where nobody could answer. */
  requireReady(): void {
    if (this.#isStreaming) {
      const how = "Use steer() or followUp() to queue messages, or wait for completion.";
      throw new Fault("bad_state", `Agent is already processing. ${how}`);
    }
    this.requireModel();
  }

  requireModel(): void {
    if (this.session.model.id === "") {
      throw new Fault("no_model", "No model selected. Use set_model, or start with --model provider:id.");
    }
  }

  /** Accepts a prompt; call the returned function when the host knows of it. The run begins when a compaction is over. */
  accept(messages: Prompt, how: How = "prompt"): () => void {
    this.requireReady();
    this.#isStreaming = true;
    this.#isStopping = false;
    const told = Promise.withResolvers<void>();
    const over = told.promise.then(() => this.#drive(messages, how)).catch((error) => this.#fail(error));
    const run = { over };
    this.#run = run;
    void over.then(() => {
      if (this.#run === run) this.#run = undefined;
    });
    return told.resolve;
  }

  /** Queues what the user says, or begins a run with it where none goes on; call the function when the host knows. */
  queue(message: Prompt[number], how: "steer" | "followUp"): () => void {
    if (!this.#isStreaming) return this.accept([message], how);
    if (how === "steer") this.session.queue.addSteer(message);
    else this.session.queue.addFollowUp(message);
    return () => void this.tellQueue();
  }

  /** Stops all that goes on; settles when the run's `agent_end` was told. Waiting steers begin another run if `resumes`. */
  async abort({ resumes }: { readonly resumes: boolean }): Promise<void> {
    this.#options.stopOthers();
    const compaction = this.compactor.stop();
    await this.#stopRun();
    await compaction;
    if (resumes && !this.#isStreaming) this.resume({ steersOnly: true });
  }

  /** Begins a run with what waits, if anything does. */
  resume({ steersOnly }: { readonly steersOnly: boolean }): void {
    const { queue } = this.session;
    if (this.#isStreaming || this.session.model.id === "") return;
    const delivery = queue.take({ atEnd: !steersOnly });
    if (delivery) this.accept(delivery.messages, delivery.how)();
  }

  /** Stops all, then puts another session in the place of this one. Queues are emptied. */
  async exchange<Result>(make: () => Promise<{ tree: SessionTree; result: Result }>): Promise<Result> {
    const change = this.#change.catch(() => {}).then(async () => {
      await this.abort({ resumes: false });
      const { tree, result } = await make();
      this.session.queue.clear();
      this.#deferred = [];
      this.#tree.close();
      this.#tree = tree;
      return result;
    });
    this.#change = change;
    return await change;
  }

  /** The same while nothing runs, with all that waits kept: the conversation goes on elsewhere. */
  moveTo(tree: SessionTree): void {
    this.#tree.close();
    this.#tree = tree;
  }

  /** Adds what belongs to the conversation but came between its turns; in mid-run at the end of the run. */
  add(message: OmpMessage): void {
    if (this.#isStreaming) this.#deferred.push(message);
    else this.#tree.append({ type: "message", message });
  }

  /** No more runs. Settles when all has ended. */
  async close(): Promise<void> {
    await this.abort({ resumes: false });
    this.#tree.close();
  }

  async #stopRun(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#isStopping = true;
    this.retries.stop();
    await this.session.abort();
    await run.over;
  }

  async #drive(prompt: Prompt, how: How): Promise<void> {
    await this.compactor.over;
    const timer = this.#options.maxRunMs === undefined
      ? undefined
      : setTimeout(() => void this.#stopRun(), this.#options.maxRunMs);
    try {
      this.#options.beginning();
      const { emit, reminders, nextModel, host, tellsExtras } = this.#options;
      const passes = new RunPasses({
        ...{ session: this.session, emit, reminders, nextModel, host, tellsExtras },
        ...{ retries: this.retries, compactor: this.compactor },
        tree: () => this.#tree,
        answerer: () => this.answerer(),
        isStopping: () => this.#isStopping,
        delivered: () => this.tellQueue(),
      });
      const told = await passes.run({ messages: prompt, how });
      for (const message of this.#deferred.splice(0)) this.#tree.append({ type: "message", message });
      await this.#options.ending();
      await this.#end(told);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What went wrong outside of the agent, such as a session file that cannot be written. */
  async #fail(error: unknown): Promise<void> {
    const { log, emit } = this.#options;
    log("telling of a run failed", { level: "error", error });
    this.#isStreaming = false;
    await emit("notice", { level: "error", message: toFault(error).message });
    await emit("agent_end", { messages: [] });
  }

  /** The flag goes down first: a prompt that answers `agent_end` must be taken. */
  async #end(messages: readonly OmpMessage[]): Promise<void> {
    this.#isStreaming = false;
    const wasStopped = this.#isStopping;
    const told = this.#options.emit("agent_end", { messages });
    // what came too late for this run begins the next one
    if (!wasStopped) this.resume({ steersOnly: false });
    await told;
    if (this.#isPiHost && !this.#isStreaming) await this.emit("agent_settled", {});
  }
}

/** Where a session may be branched: what the user said. */
export function userMessages(tree: SessionTree): { entryId: string; message: UserMessage }[] {
  return tree.branch().flatMap((entry) =>
    entry.type === "message" && entry.message.role === "user" && !entry.message.synthetic
      ? [{ entryId: entry.id, message: entry.message }]
      : []
  );
}
