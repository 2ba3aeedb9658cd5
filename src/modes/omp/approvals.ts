/**
 * Whether a statement that changes something may run: the person at the host is asked, and nobody's answer is no.
 * What may run at all is the guard's matter; this never widens it.
 */
import { Fault } from "../../base/fault.ts";
import type { ApprovalMode } from "./command_line.ts";
import type { Dialogs } from "./dialogs.ts";

/** Statements that only read, by their first word. */
const READS = /^(select|with|values|table|from|explain|describe|desc|show|pragma|summarize)$/i;
/** Words with which a statement that begins like a reading one may still change something. */
const CHANGES = /\b(insert|update|delete|merge|replace|into|create|alter|drop|truncate|grant|copy|call)\b/i;
const ADDITIONS = /^insert$/i;

interface Asked {
  readonly sql: string;
  /** The name of the database. */
  readonly database: string;
  readonly signal: AbortSignal;
}

export class Approvals {
  mode: ApprovalMode;
  readonly #dialogs: Dialogs;
  #count = 0;

  constructor(mode: ApprovalMode, dialogs: Dialogs) {
    this.mode = mode;
    this.#dialogs = dialogs;
  }

  /** How many statements were approved. */
  get count(): number {
    return this.#count;
  }

  /** Settles when the statement may run. Throws Fault `permission_denied` when it may not. */
  async require({ sql, database, signal }: Asked): Promise<void> {
    if (this.mode === "yolo" || isReading(sql)) return;
    const verb = firstWord(sql);
    if (this.mode === "write" && ADDITIONS.test(verb)) return;
    await this.ask(`Run ${verb.toUpperCase()} on ${database}?`, { message: sql, signal });
  }

  /** Throws Fault `permission_denied` without a yes. */
  async ask(title: string, asked: { readonly message: string; readonly signal: AbortSignal }): Promise<void> {
    const answer = await this.#dialogs.confirm(title, asked);
    if (answer !== "yes") {
      const why = answer === "timed out" ? "Not approved (timed out)" : "Not approved by the user";
      throw new Fault("permission_denied", why);
    }
    this.#count++;
  }
}

/** In doubt a statement counts as one that changes something. */
export function isReading(sql: string): boolean {
  return READS.test(firstWord(sql)) && !CHANGES.test(sql);
}

function firstWord(sql: string): string {
  const bare = sql.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, " ");
  return /[A-Za-z]+/.exec(bare)?.[0] ?? "";
}
