/**
 * Whether a statement that changes something may run: the person at the host is asked, and nobody's answer is no.
 * What may run at all is the guard's matter; this never widens it.
 */
import { Fault } from "../../base/fault.ts";
import type { Touched } from "../../db/driver.ts";
import type { ApprovalMode } from "./command_line.ts";
import type { Confirmation, Dialogs } from "./dialogs.ts";

/** Statements that only read, by their first word. */
const READS = /^(select|with|values|table|from|explain|describe|desc|show|pragma|summarize)$/i;
/** Words with which a statement that begins like a reading one may still change something. */
const CHANGES = /\b(insert|update|delete|merge|replace|into|create|alter|drop|truncate|grant|copy|call)\b/i;
/** What changes rows may run unasked in the mode `write` as long as it changes no more than these. */
const FEW_ROWS = 1000;
/** After so many yeses to the same verb on the same table, a yes may be given for the session. */
const OFTEN = 3;

interface Asked {
  readonly sql: string;
  /** The name of the database. */
  readonly database: string;
  readonly signal: AbortSignal;
}

interface Question {
  readonly message: string;
  readonly signal: AbortSignal;
}

export interface ApprovalOptions {
  readonly mode: ApprovalMode;
  readonly dialogs: Dialogs;
  /** What a statement would change; undefined where that is not known. */
  touches(asked: Asked): Promise<Touched | undefined>;
}

export class Approvals {
  readonly #options: ApprovalOptions;
  #mode: ApprovalMode;
  #count = 0;
  /** Yeses by verb, database and table; Infinity where one was given for the session. */
  readonly #yeses = new Map<string, number>();

  constructor(options: ApprovalOptions) {
    this.#options = options;
    this.#mode = options.mode;
  }

  get mode(): ApprovalMode {
    return this.#mode;
  }

  /** Also ends what was approved for the session. */
  set mode(mode: ApprovalMode) {
    this.#mode = mode;
    this.forget();
  }

  /** How many statements were approved. */
  get count(): number {
    return this.#count;
  }

  /** Another session begins: what was approved for the last one is asked again. */
  forget(): void {
    this.#yeses.clear();
  }

  /** Settles when the statement may run. Throws Fault `permission_denied` when it may not. */
  async require({ sql, database, signal }: Asked): Promise<void> {
    if (this.#mode === "yolo" || isReading(sql)) return;
    const touched = await this.#options.touches({ sql, database, signal });
    if (this.#mode === "write" && touched?.rows !== undefined && touched.rows <= FEW_ROWS) return;
    const verb = firstWord(sql).toUpperCase();
    const title = `Run ${verb} on ${database}?`;
    if (!touched) return await this.ask(title, { message: sql, signal });
    const key = JSON.stringify([verb, database, touched.table]);
    const yeses = this.#yeses.get(key) ?? 0;
    const asked = { message: `${sql}\n\n${about(touched)}`, signal };
    if (yeses === Infinity) this.#count++;
    else if (yeses < OFTEN) await this.ask(title, asked);
    else await this.#askForAll(title, { ...asked, key });
    this.#yeses.set(key, (this.#yeses.get(key) ?? 0) + 1);
  }

  /** Throws Fault `permission_denied` without a yes. */
  async ask(title: string, asked: Question): Promise<void> {
    this.#take(await this.#options.dialogs.confirm(title, asked));
  }

  async #askForAll(title: string, { key, ...asked }: Question & { readonly key: string }): Promise<void> {
    const answer = await this.#options.dialogs.confirmAlike(title, asked);
    this.#take(answer === "always" ? "yes" : answer);
    if (answer === "always") this.#yeses.set(key, Infinity);
  }

  #take(answer: Confirmation): void {
    if (answer !== "yes") {
      const why = answer === "timed out" ? "Not approved (timed out)" : "Not approved by the user";
      throw new Fault("permission_denied", why);
    }
    this.#count++;
  }
}

/** What the person should know of it besides the statement. */
function about({ table, rows }: Touched): string {
  const count = rows === undefined
    ? `Changes ${table}; how many rows is not known`
    : `≈ ${rows} ${rows === 1 ? "row" : "rows"} of ${table}`;
  return `${count}. It cannot be undone.`;
}

/** In doubt a statement counts as one that changes something. */
export function isReading(sql: string): boolean {
  return READS.test(firstWord(sql)) && !CHANGES.test(sql);
}

function firstWord(sql: string): string {
  const bare = sql.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, " ");
  return /[A-Za-z]+/.exec(bare)?.[0] ?? "";
}
