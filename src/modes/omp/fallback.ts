/**
 * The model that answers for the rest of a run when the chosen one's server does not: the next of `--models`.
 */
import type { AgentEnd } from "../../agent/events.ts";
import type { Session } from "../../agent/session.ts";
import type { Model } from "../../app.ts";
import type { Emit } from "./message_teller.ts";
import { mayPass } from "./retries.ts";

const ROLE = "default";

interface FallbackOptions {
  readonly session: Session;
  /** The next of the list that the user gave; undefined where there is none. */
  next(id: string): Promise<Model | undefined>;
  readonly emit: Emit;
}

/** The fallback of one run. */
export class Fallback {
  readonly #options: FallbackOptions;
  /** What the user chose, and what answers in its place. */
  readonly #chosen: Model;
  readonly #tried = new Set<string>();
  #applied: Model | undefined;
  #isTold = true;

  constructor(options: FallbackOptions) {
    this.#options = options;
    this.#chosen = options.session.model;
  }

  /** Whether another model is asked from now on. */
  async apply(end: Extract<AgentEnd, { status: "error" }>): Promise<boolean> {
    const { session, next, emit } = this.#options;
    if (!mayPass(end.fault)) return false;
    const from = session.model;
    this.#tried.add(from.id);
    const to = await next(from.id);
    if (to === undefined || this.#tried.has(to.id)) return false;
    session.setModel(to);
    this.#applied = to;
    this.#isTold = false;
    await emit("retry_fallback_applied", { from: shown(from), to: shown(to), role: ROLE });
    return true;
  }

  /** An answer has come. */
  async succeeded(): Promise<void> {
    if (this.#isTold || !this.#applied) return;
    this.#isTold = true;
    await this.#options.emit("retry_fallback_succeeded", { model: shown(this.#applied), role: ROLE });
  }

  /** The run is over: the chosen model is asked again, unless the user has chosen another one meanwhile. */
  end(): void {
    const { session } = this.#options;
    if (this.#applied && session.model === this.#applied) session.setModel(this.#chosen);
  }
}

function shown({ id }: Model): string {
  return id.replace(":", "/");
}
