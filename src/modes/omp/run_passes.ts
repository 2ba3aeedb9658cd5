/**
 * One run: a pass of the agent, and further ones after a retry, a compaction, a change of the model, a rule that was
 * broken or a plan that is not done. When runs begin, and what ends them from outside, is conversation.ts's.
 */
import type { AgentEnd } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import { Fault } from "../../base/fault.ts";
import type { Compactor } from "./compactor.ts";
import { Fallback } from "./fallback.ts";
import { historyOf } from "./history.ts";
import type { HostSide } from "./host_side.ts";
import type { Emit } from "./message_teller.ts";
import type { OmpMessage } from "./messages.ts";
import { type Models, seesImages } from "./models.ts";
import type { Reminders } from "./reminders.ts";
import type { Retries } from "./retries.ts";
import { RunProjection } from "./run_projection.ts";
import type { SessionTree } from "./session_tree.ts";
import type { Answerer, How } from "./spelling.ts";
import { brokenRule, type StatementRule } from "./statement_rules.ts";

export type Prompt = Parameters<Session["run"]>[0];

export interface RunPassesOptions {
  readonly session: Session;
  readonly emit: Emit;
  readonly reminders: Reminders;
  readonly retries: Retries;
  readonly compactor: Compactor;
  tree(): SessionTree;
  answerer(): Answerer;
  readonly host: HostSide;
  /** The next of the models that the user listed; undefined where there is none. */
  nextModel: Models["next"];
  /** The user has ended the run. */
  isStopping(): boolean;
  /** Told when something was taken from the queue. */
  delivered(): Promise<void>;
  readonly tellsExtras: boolean;
}

/** How often in one run the model is stopped while it writes. */
const MAX_STOPS = 2;

interface Said {
  readonly messages: Prompt;
  readonly how: How;
}

interface Pass {
  readonly end: AgentEnd;
  readonly messages: readonly OmpMessage[];
  /** For which the model was stopped. */
  readonly rule: StatementRule | undefined;
}

export class RunPasses {
  readonly #options: RunPassesOptions;
  readonly #fallback: Fallback;
  #reminded = 0;
  #stops = 0;
  #isCompacted = false;

  constructor(options: RunPassesOptions) {
    this.#options = options;
    const { session, emit, nextModel: next } = options;
    this.#fallback = new Fallback({ session, emit, next });
  }

  /** Everything up to the run's end, which is the caller's to tell: the messages of its last part. */
  async run(first: Said): Promise<readonly OmpMessage[]> {
    const { emit } = this.#options;
    let before: readonly OmpMessage[] = [];
    for (let said = first;;) {
      await emit("agent_start", {});
      const pass = await this.#pass(said);
      const told = [...before, ...pass.messages];
      const next = await this.#after(pass);
      if (next === undefined) {
        this.#fallback.end();
        return told;
      }
      if (next !== "again") before = told;
      said = { how: "reminder", messages: next === "again" ? [] : [user(next)] };
    }
  }

  /** What is said to the model in another pass, `again` for one that says nothing new, undefined when the run is over. */
  async #after({ end, messages, rule }: Pass): Promise<string | undefined> {
    const { compactor, reminders, isStopping } = this.#options;
    if (rule) return `You were stopped while you wrote a statement. ${rule.text} Go on without it.`;
    if (end.status === "error" && await this.#isMended(end)) return "again";
    if (end.status !== "completed") return undefined;
    await compactor.afterRun();
    const reminder = isStopping() ? undefined : await reminders.after(messages, this.#reminded + 1);
    if (reminder === undefined) await reminders.clear();
    else this.#reminded++;
    return reminder;
  }

  /** Whether a pass that failed is worth another one. */
  async #isMended(end: Extract<AgentEnd, { status: "error" }>): Promise<boolean> {
    const { compactor, retries, emit, isStopping } = this.#options;
    if (isStopping()) {
      await retries.failed("Retry cancelled");
      return false;
    }
    if (!this.#isCompacted && await compactor.afterOverflow(end)) {
      this.#isCompacted = true;
      return true;
    }
    const verdict = await retries.again(end);
    if (verdict === "again") return true;
    if (verdict === "over") {
      await retries.failed(end.error);
      if (retries.isEnabled && !isStopping() && await this.#fallback.apply(end)) return true;
    }
    await emit("notice", { level: "error", message: end.error });
    return false;
  }

  async #pass({ messages, how }: Said): Promise<Pass> {
    const { emit, session, tree, answerer, host, tellsExtras, isStopping } = this.#options;
    session.goOnFrom(historyOf(tree().messages(), { sees: seesImages(session.model) }));
    const projection = new RunProjection({
      ...{ emit, answerer, host, tellsExtras },
      keep: (message) => void tree().append({ type: "message", message }),
    });
    const events = session.run(messages);
    if (isStopping()) void session.abort();
    await projection.begin(messages, how);
    let rule: StatementRule | undefined;
    for await (const event of events) {
      if (event.type === "agent_end") {
        const stopped = event.status === "aborted" && !isStopping() ? rule : undefined;
        await this.#close(projection, { end: event, rule: stopped });
        return { end: event, messages: projection.messages, rule: stopped };
      }
      if (rule) continue; // what still comes of an answer that is dropped
      await projection.take(event);
      if (event.type === "message_end") await this.#answered();
      if (event.type === "queue_update") await this.#options.delivered();
      if (event.type === "sql_update") rule = this.#stopFor(event.sql);
    }
    throw new Fault("internal", "A run has no end.");
  }

  async #close(
    projection: RunProjection,
    { end, rule }: { readonly end: AgentEnd; readonly rule: StatementRule | undefined },
  ): Promise<void> {
    const { emit, retries } = this.#options;
    if (!rule) {
      await projection.end(end);
      if (end.status === "aborted") await retries.failed("Retry cancelled");
      return;
    }
    await projection.drop(rule.text);
    await emit("ttsr_triggered", { rules: [{ name: rule.name, description: rule.text }] });
  }

  async #answered(): Promise<void> {
    await this.#options.retries.succeeded();
    await this.#fallback.succeeded();
  }

  /** Ends an answer that will not run, before all of it is paid for. */
  #stopFor(sql: string): StatementRule | undefined {
    const rule = this.#stops < MAX_STOPS ? brokenRule(sql) : undefined;
    if (!rule) return undefined;
    this.#stops++;
    void this.#options.session.abort();
    return rule;
  }
}

function user(content: string): Prompt[number] {
  return { role: "user", content, timestamp: Date.now() };
}
