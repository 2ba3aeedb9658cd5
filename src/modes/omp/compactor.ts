/**
 * Compaction: the older part of a conversation becomes a summary that the model reads in its place. What was said stays
 * in the session file.
 */
import { askOnce } from "../../agent/ask_once.ts";
import type { AgentEnd } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import { Fault, toFault } from "../../base/fault.ts";
import { RawJson, toJson } from "../../base/json.ts";
import { contextWindow, estimate, tokensOf } from "./context_usage.ts";
import type { Emit } from "./message_teller.ts";
import type { OmpMessage } from "./messages.ts";
import type { SessionTree } from "./session_tree.ts";
import { plainSummary, readableText, resultIdsIn } from "./readable_text.ts";
import { writtenIn } from "./stays_written.ts";

export interface Compaction {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  /** `resultIds` that the summed up part speaks of, and `committedStatements`, those of it that changed a database. */
  readonly details: RawJson;
}

interface CompactorOptions {
  readonly session: Session;
  tree(): SessionTree;
  readonly emit: Emit;
}

/** Tokens of the newest messages that stay as they are. */
const KEPT_TOKENS = 20_000;
/** Tokens that are left for the next answer. */
const RESERVE = 16_384;
/** Hosts give a command up after 30 s; then a summary is made without the model. */
const PATIENCE_MS = 25_000;

const SYSTEM =
  "You write summaries of conversations between an analyst and a SQL assistant, for the assistant itself to go on with. " +
  "Keep, in this order: what the user wants, with its conditions and definitions in their own words; facts about the schema that were " +
  "found (tables, keys, types, traps); the final SQL of each answered question; result ids that are still spoken of; figures " +
  "that were reported; what was written to a database; what is still open. Leave out greetings and dead ends.";

export class Compactor {
  isAutomatic = true;
  readonly #options: CompactorOptions;
  #stop: AbortController | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#stop !== undefined;
  }

  /** Settles when none goes on. */
  get over(): Promise<void> {
    return this.#running.then(() => {}, () => {});
  }

  /** Ends a compaction that goes on; settles when it has. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    await this.over;
  }

  /** Throws Fault `bad_state` where there is nothing to do, `cancelled` when it is stopped. */
  async compact(instructions?: string): Promise<Compaction> {
    const tree = this.#options.tree();
    const found = this.#find(tree);
    return await this.hold((signal) => this.#make(tree, { ...found, instructions, signal }));
  }

  /** What stands in for the conversation while no run may begin; `stop` aborts it. Throws Fault `bad_state` for a second one. */
  async hold<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#stop) throw new Fault("bad_state", "Compaction already in progress");
    const stop = new AbortController();
    this.#stop = stop;
    const made = work(stop.signal).finally(() => this.#stop = undefined);
    this.#running = made;
    return await made;
  }

  /** After a run: when the context is nearly full. */
  async afterRun(): Promise<void> {
    const { session, tree } = this.#options;
    if (!this.isAutomatic || tokensOf(tree().messages()) <= contextWindow(session) - RESERVE) return;
    await this.#automatic("threshold");
  }

  /** After a failure: whether it was the length of the conversation, and that is mended. */
  async afterOverflow(end: AgentEnd): Promise<boolean> {
    if (!this.isAutomatic || end.status !== "error" || end.fault.code !== "too_large") return false;
    return await this.#automatic("overflow");
  }

  async #automatic(reason: "threshold" | "overflow"): Promise<boolean> {
    const { emit } = this.#options;
    const about = { action: "context-full" } as const;
    await emit("auto_compaction_start", { reason, ...about });
    try {
      const result = { ...await this.compact() };
      await emit("auto_compaction_end", {
        ...about,
        result,
        aborted: false,
        willRetry: reason === "overflow",
      });
      return true;
    } catch (error) {
      const { code, message } = toFault(error);
      const end = code === "bad_state"
        ? { aborted: false, skipped: true }
        : { aborted: code === "cancelled", errorMessage: message };
      await emit("auto_compaction_end", { ...about, ...end, willRetry: false });
      return false;
    }
  }

  /** The messages that are to be summed up, and the entry that is kept first. */
  #find(tree: SessionTree): Work {
    const branch = tree.branch();
    if (branch.at(-1)?.type === "compaction") throw new Fault("bad_state", "Already compacted");
    const since = branch.findLastIndex(({ type }) => type === "compaction");
    const placed = branch.slice(since + 1).flatMap((entry) =>
      entry.type === "message" ? [{ id: entry.id, message: entry.message }] : []
    );
    const at = firstKept(placed.map(({ message }) => message));
    const kept = placed[at];
    if (kept === undefined) throw new Fault("bad_state", "Nothing to compact (session too small)");
    const before = tree.messages();
    const old = before.slice(0, before.length - (placed.length - at));
    if (old.length === 0) throw new Fault("bad_state", "Nothing to compact (session too small)");
    return { old, firstKeptEntryId: kept.id, tokensBefore: tokensOf(before) };
  }

  async #make(
    tree: SessionTree,
    { old, instructions, signal, ...rest }: Work & { instructions: string | undefined; signal: AbortSignal },
  ): Promise<Compaction> {
    const summary = await this.#summary(old, { instructions, signal });
    const details = { resultIds: resultIdsIn(old), committedStatements: writtenIn(old) };
    const compaction = { summary, ...rest, details: new RawJson(toJson(details)) };
    tree.append({ type: "compaction", ...compaction });
    return compaction;
  }

  async #summary(
    old: readonly OmpMessage[],
    { instructions, signal }: { readonly instructions: string | undefined; readonly signal: AbortSignal },
  ): Promise<string> {
    const { session } = this.#options;
    const text = `Sum this conversation up.${instructions ? ` ${instructions}` : ""}\n\n${readableText(old)}`;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await askOnce(session.model, {
        system: SYSTEM,
        text,
        signal: AbortSignal.any([signal, patience]),
      });
    } catch {
      if (signal.aborted) throw new Fault("cancelled", "Compaction cancelled");
      return plainSummary(old);
    }
  }
}

interface Work {
  readonly old: readonly OmpMessage[];
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
}

/** The newest messages stay, but never a tool's result without its call; where all would fit, the last answer stays. */
function firstKept(messages: readonly OmpMessage[]): number {
  let tokens = 0;
  let at = messages.length;
  for (let n = messages.length - 1; n >= 0; n--) {
    const message = messages[n];
    if (!message) break;
    tokens += estimate(message);
    if (tokens > KEPT_TOKENS && at < messages.length) break;
    if (message.role !== "toolResult") at = n;
  }
  return at > 0
    ? at
    : messages.findLastIndex((message) => message.role === "assistant" && message.stopReason !== "error");
}
