/**
 * One open SQLite file inside the SQLite process, with everything switched off that reading or writing tables does not need.
 * Users' statements are compiled under the authorizer, the program's own are not.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Access } from "../driver.ts";
import { ANSWER, isAllowed, isReading, isRowChange } from "./authorizer.ts";
import { isBlank } from "./blank_sql.ts";
import type { Failure, Statement } from "./protocol.ts";

type Arguments = [action: number, first: string | null, second: string | null];

declare module "node:sqlite" {
  interface DatabaseSync {
    enableDefensive(on: boolean): void;
    function(name: string, callback: () => number): void;
    setAuthorizer(answer: (...ask: Arguments) => number): void;
    /** Deno 2.9 has it, 2.7 does not. */
    readonly limits?: { length: number; sqlLength: number; attach: number };
  }
  interface StatementSync {
    setReturnArrays(on: boolean): void;
  }
}

/**
 * Bytes of one value, of one row and of one statement. A text of this size is at most six times as long in JSON, which V8
 * still takes as one string.
 */
export const MAX_BYTES = 64 * 2 ** 20;

/** A failure that comes without SQLite's code: ours, or one while rows were read, of which only the words are left. */
export class Refusal extends Error {
  constructor(readonly kind: Failure["kind"], message = "") {
    super(message);
  }
}

export interface ConnectionOptions {
  readonly access: Access;
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyMs: number;
}

export class Connection {
  readonly #db: DatabaseSync;
  readonly #access: Access;
  /** What the authorizer knows of the statement at hand. */
  #phase: "own" | "compiling" | "running" = "own";
  #firstWrite: "rows" | "schema" | undefined;

  /** Throws SQLite's error when the file can't be opened; most damage shows only at the first statement. */
  constructor(path: string, { access, busyMs }: ConnectionOptions) {
    this.#access = access;
    const isMemory = path === ":memory:";
    this.#db = new DatabaseSync(path, { readOnly: access === "read" && !isMemory });
    this.#db.enableDefensive(true);
    // The constructor's own option for it has no effect on a file that is opened for reading.
    this.#db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    // Functions with side effects must not hide in views, triggers and defaults of a file that somebody else made.
    this.#db.exec("PRAGMA trusted_schema = OFF");
    if (this.#db.limits) {
      this.#db.limits.length = MAX_BYTES;
      this.#db.limits.sqlLength = MAX_BYTES;
      this.#db.limits.attach = 0;
    }
    this.#db.setAuthorizer((...ask) => this.#answer(ask));
  }

  /** Whether the statement compiled last changes rows, so that `changes()` counts them. */
  get changesRows(): boolean {
    return this.#firstWrite === "rows";
  }

  /** Compiles one statement. Throws SQLite's error, or a Refusal for no statement and for more than one. */
  prepare({ sql, own = false }: Statement): StatementSync {
    if (isBlank(sql)) throw new Refusal("empty");
    // SQLite would take the text up to the NUL for the whole.
    if (sql.includes("\0")) throw new Refusal("several");
    this.#phase = own ? "own" : "compiling";
    this.#firstWrite = undefined;
    const statement = this.#db.prepare(sql);
    if (!isBlank(sql.slice(statement.sourceSQL.length))) throw new Refusal("several");
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    if (!own) this.#phase = "running";
    return statement;
  }

  /** Runs a statement of the program's own, for its effect. */
  exec(sql: string): void {
    this.#phase = "own";
    this.#db.exec(sql);
  }

  /**
   * Throws the failure that ended the rows of the last statement, if one did: the iterator of node:sqlite ends at a failure
   * as it does after the last row. SQLite keeps its words until the next call, and an attempt to define a function with a
   * name that is too long reports them without touching them.
   */
  throwIfFailed(): void {
    try {
      this.#db.function("_".repeat(256), () => 0);
    } catch (error) {
      if (error instanceof Error && error.message !== "not an error") {
        throw new Refusal("sqlite", error.message);
      }
    }
  }

  #answer([action, first, second]: Arguments): number {
    if (this.#phase === "own") return ANSWER.ok;
    const ask = { action, first, second, isRunning: this.#phase === "running" };
    if (!isReading(action)) this.#firstWrite ??= isRowChange(ask) ? "rows" : "schema";
    return isAllowed(ask, this.#access) ? ANSWER.ok : ANSWER.deny;
  }
}
