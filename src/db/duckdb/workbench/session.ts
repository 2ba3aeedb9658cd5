/**
 * A person's own connection to a DuckDB database: transactions, settings and temporary tables stay between statements.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { abortable } from "../../../base/abortable.ts";
import { Fault, toFault } from "../../../base/fault.ts";
import { LONGEST_MS } from "../../deadline.ts";
import type { Cursor } from "../../driver.ts";
import type { WorkSession } from "../../workbench.ts";
import { Clock } from "../clock.ts";
import { type Executed, toCursor } from "../cursor.ts";
import { statementFault } from "../errors.ts";
import { checkText } from "../gate.ts";
import { type Held, interrupt } from "../lease.ts";
import type { DuckDb } from "../library.ts";
import { checkReads } from "./reading_only.ts";
import { isOpenAfter } from "./transaction_words.ts";

/** How long undoing what is open may take, in milliseconds. */
const RESET_MS = 2_000;
/** Statements that set something which only the end of the connection undoes. */
const SETTING =
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:set|reset|use|pragma|load|attach|detach|create\s+(?:or\s+replace\s+)?(?:temp|secret)|prepare)/i;

export interface SessionOptions {
  readonly api: DuckDb;
  readonly statementMs: number;
  /** Nothing but reading runs. */
  readonly readsOnly: boolean;
  /** Called once, when the connection has ended. */
  onEnd(): void;
}

export class DuckDbWorkSession implements WorkSession, Held {
  readonly #connection: DuckDBConnection;
  readonly #options: SessionOptions;
  #work: Promise<unknown> = Promise.resolve();
  #signal = new AbortController().signal;
  #isOpen = true;
  #isInTransaction = false;
  #isChanged = false;
  #closing: Promise<void> | undefined;

  constructor(connection: DuckDBConnection, options: SessionOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs statements that every session begins with. Throws Fault. */
  async setUp(statements: readonly string[], signal: AbortSignal): Promise<void> {
    for (const sql of statements) await (await this.run(sql, signal)).close();
    this.#isChanged = false;
  }

  async run(sql: string, signal: AbortSignal): Promise<Cursor> {
    checkText(sql);
    this.#isChanged ||= SETTING.test(sql);
    const { api, statementMs, readsOnly } = this.#options;
    const clock = new Clock(signal, { ms: Math.min(statementMs, LONGEST_MS), what: "the statement" });
    this.#signal = clock.signal;
    let hasFailed = true;
    try {
      const executed = await this.use((connection) => execute(connection, { sql, api, readsOnly }));
      hasFailed = false;
      return toCursor(this, { ...executed, sql, api, onFirstRows: () => clock.stop() });
    } catch (error) {
      clock.stop();
      throw statementFault(error);
    } finally {
      this.#isInTransaction = isOpenAfter(sql, { before: this.#isInTransaction, hasFailed });
    }
  }

  /** Does one thing after the other on the connection. An abort stops it. Throws Fault, and what the work throws. */
  async use<Value>(work: (connection: DuckDBConnection) => Promise<Value>): Promise<Value> {
    if (!this.#isOpen) {
      throw new Fault("closed", "Cannot go on with the statement: the connection has been closed.");
    }
    if (this.#signal.aborted) throw toFault(this.#signal.reason);
    const running = work(this.#connection);
    this.#work = running;
    try {
      return await abortable(running, this.#signal);
    } finally {
      if (this.#signal.aborted) await this.end();
    }
  }

  /** Stops what still runs; the connection goes on. */
  async end(): Promise<void> {
    await interrupt(this.#connection, this.#work);
    if (this.#signal.aborted) throw toFault(this.#signal.reason);
  }

  inTransaction(): Promise<boolean> {
    return Promise.resolve(this.#isOpen && this.#isInTransaction);
  }

  async reset(): Promise<void> {
    if (this.#isChanged) return await this.close();
    if (!this.#isInTransaction) return;
    try {
      await (await this.run("ROLLBACK", AbortSignal.timeout(RESET_MS))).close();
    } catch {
      await this.close();
    }
  }

  destroy(): void {
    void this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isOpen = false;
    await interrupt(this.#connection, this.#work);
    this.#connection.closeSync();
    this.#options.onEnd();
  }
}

/** PIVOT is several statements to DuckDB, of which the last gives the rows. */
async function execute(
  connection: DuckDBConnection,
  { sql, api, readsOnly }: { readonly sql: string; readonly api: DuckDb; readonly readsOnly: boolean },
): Promise<Executed> {
  const statements = await connection.extractStatements(sql);
  for (let at = 0; at < statements.count - 1 && !readsOnly; at++) await (await statements.prepare(at)).run();
  if (statements.count === 0) {
    throw new Fault("syntax_error", "Cannot run the statement: there is none in the text. Write one.");
  }
  const prepared = await statements.prepare(statements.count - 1);
  try {
    if (readsOnly) await checkReads(prepared, { sql, api, connection });
    return await executePrepared(prepared, api);
  } finally {
    prepared.destroySync();
  }
}

/** Only what reads is streamed: the rest must have happened when its result is there. */
async function executePrepared(prepared: DuckDBPreparedStatement, api: DuckDb): Promise<Executed> {
  const { SELECT, EXPLAIN } = api.StatementType;
  if (prepared.statementType === SELECT || prepared.statementType === EXPLAIN) {
    return { result: await prepared.stream() };
  }
  const result = await prepared.run();
  const { CHANGED_ROWS, QUERY_RESULT } = api.ResultReturnType;
  if (result.returnType === CHANGED_ROWS) return { result, affected: result.rowsChanged };
  return result.returnType === QUERY_RESULT && CHANGING.has(api.StatementType[prepared.statementType] ?? "")
    ? { result, affected: result.rowCount }
    : { result };
}

const CHANGING = new Set(["INSERT", "UPDATE", "DELETE"]);
