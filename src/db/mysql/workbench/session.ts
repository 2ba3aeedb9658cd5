/**
 * A person's own connection to a MySQL server: transactions stay open between statements.
 */
import { Fault } from "../../../base/fault.ts";
import { LONGEST_MS } from "../../deadline.ts";
import type { Cursor } from "../../driver.ts";
import { startupFault } from "../../startup_fault.ts";
import type { Row } from "../../values.ts";
import type { WorkOptions, WorkSession } from "../../workbench.ts";
import type { Connector } from "../connector.ts";
import { mysqlFault } from "../faults.ts";
import type { Session } from "../session.ts";
import { setLanguage } from "../setup.ts";
import { quoteName } from "../sql_text.ts";
import { beginStatement, StaleSession } from "../statement.ts";

/** How long clearing a connection may take, in milliseconds. */
const RESET_MS = 5_000;

export interface SessionOptions {
  readonly connector: () => Connector;
  readonly work: WorkOptions;
  /** The database that a new session is in. */
  readonly database: string | undefined;
}

/** For each new session, before anybody has it. Throws Fault. */
export async function prepareSession(session: Session, { work }: SessionOptions): Promise<void> {
  try {
    const isMariadb = await setLanguage(session);
    const seconds = work.statementMs / 1000;
    if (work.statementMs !== Infinity) {
      await session.rows(
        `SET SESSION ${
          isMariadb ? `max_statement_time = ${seconds}` : `max_execution_time = ${work.statementMs}`
        }`,
      );
    }
    if (work.access === "read") await session.rows("SET SESSION TRANSACTION READ ONLY");
  } catch (error) {
    throw mysqlFault(error, { doing: "set up the connection" });
  }
  for (const sql of work.startup) {
    await session.rows(sql).catch((error) => {
      throw startupFault(mysqlFault(error, { doing: "set up the connection" }));
    });
  }
}

export class MysqlWorkSession implements WorkSession {
  readonly #session: Session;
  readonly #options: SessionOptions;
  /** As known after the last statement; undefined when one has run since. */
  #isInTransaction: boolean | undefined = false;

  constructor(session: Session, options: SessionOptions) {
    this.#session = session;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#session.isOpen;
  }

  async run(sql: string, signal: AbortSignal): Promise<Cursor> {
    const isKept = await this.inTransaction();
    this.#isInTransaction = undefined;
    const { connector, work } = this.#options;
    try {
      const cursor = await beginStatement(this.#session, sql, {
        signal,
        timeoutMs: Math.min(work.statementMs, LONGEST_MS),
        kill: (session) => connector().kill(session),
        release: () => {},
      });
      return isKept ? drained(cursor) : cursor;
    } catch (error) {
      throw error instanceof StaleSession
        ? new Fault(
          "unreachable",
          "Cannot run the statement: the connection to the server was lost. Run it again.",
        )
        : error;
    }
  }

  async inTransaction(): Promise<boolean> {
    if (!this.isOpen) return false;
    this.#isInTransaction ??= await this.#session.isInTransaction().catch(() => false);
    return this.#isInTransaction;
  }

  async reset(): Promise<void> {
    const { database } = this.#options;
    try {
      await this.#session.whole(AbortSignal.timeout(RESET_MS), async () => {
        await this.#session.reset();
        await prepareSession(this.#session, this.#options);
        if (database !== undefined) await this.#session.rows(`USE ${quoteName(database)}`);
      });
      this.#isInTransaction = false;
      // a session cannot be put out of a database again
      if (database === undefined) await this.close();
    } catch {
      this.destroy();
    }
  }

  destroy(): void {
    this.#session.destroy();
  }

  async close(): Promise<void> {
    if (this.isOpen) await this.#session.close();
  }
}

/** Rows that nobody wants are read to their end: stopping the statement would end the connection and its transaction. */
function drained(cursor: Cursor): Cursor {
  const rows = cursor.batches[Symbol.asyncIterator]();
  const drain = async () => {
    while (!(await rows.next()).done);
  };
  async function* read(): AsyncGenerator<readonly Row[]> {
    try {
      for (let next = await rows.next(); !next.done; next = await rows.next()) yield next.value;
    } finally {
      await drain();
    }
  }
  return {
    columns: cursor.columns,
    batches: read(),
    close: drain,
    get further() {
      return cursor.further;
    },
    get affected() {
      return cursor.affected;
    },
  };
}
