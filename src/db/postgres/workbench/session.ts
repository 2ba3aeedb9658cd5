/**
 * A person's own connection to a PostgreSQL server: transactions stay open between statements.
 */
import { Fault } from "../../../base/fault.ts";
import type { Cursor } from "../../driver.ts";
import type { Address, WorkOptions, WorkSession } from "../../workbench.ts";
import { quoteName, quoteText } from "../../sql_text.ts";
import { startupFault } from "../../startup_fault.ts";
import { isConnectionLoss, postgresFault } from "../faults.ts";
import { refuseNul } from "../parser.ts";
import type { Session } from "../session.ts";
import type { TypeCatalog } from "../type_catalog.ts";
import { WorkCursor } from "./cursor.ts";

/** How long setting up or clearing a connection may take, in milliseconds. */
const SETUP_MS = 5_000;

export interface SessionOptions {
  readonly types: TypeCatalog;
  readonly address: Address;
  readonly work: WorkOptions;
}

/** Each is left out on servers that do not know it. */
function settings({ address, work }: SessionOptions): string[] {
  return [
    "standard_conforming_strings = on",
    ...address.timeZone === undefined ? [] : [`TimeZone = ${quoteText(address.timeZone)}`],
    "DateStyle = 'ISO'",
    "bytea_output = 'hex'",
    "extra_float_digits = 3",
    // a vanished client ends a running statement (PostgreSQL 14)
    "client_connection_check_interval = 1000",
    ...work.statementMs === Infinity ? [] : [`statement_timeout = ${work.statementMs}`],
    `application_name = ${quoteText(work.applicationName)}`,
    ...address.searchPath === undefined ? [] : [`search_path = ${address.searchPath}`],
    ...work.access === "read" ? ["default_transaction_read_only = on"] : [],
  ];
}

export class PostgresWorkSession implements WorkSession {
  readonly #session: Session;
  readonly #options: SessionOptions;
  #status = "I";

  private constructor(session: Session, options: SessionOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Throws Fault. */
  static async open(session: Session, options: SessionOptions): Promise<PostgresWorkSession> {
    const work = new PostgresWorkSession(session, options);
    try {
      await work.#setUp();
      for (const sql of options.work.startup) {
        await session.execute(sql, AbortSignal.timeout(options.work.connectMs));
      }
      return work;
    } catch (error) {
      session.destroy();
      throw startupFault(postgresFault(error, "set up the connection"));
    }
  }

  get isOpen(): boolean {
    return this.#session.isOpen;
  }

  async run(sql: string, signal: AbortSignal): Promise<Cursor> {
    refuseNul(sql);
    if (
      /\bcopy\b[^]*\b(?:from\s+stdin|to\s+stdout)\b/i.test(sql.slice(0, 10_000)) && /^\s*copy\b/i.test(sql)
    ) {
      throw new Fault(
        "unavailable",
        "Cannot run the statement: COPY with STDIN or STDOUT needs a client of its own. Use psql.",
      );
    }
    const isInTransaction = await this.inTransaction();
    return await WorkCursor.open(this.#session, sql, {
      options: { types: this.#options.types, signal, isInTransaction },
    });
  }

  inTransaction(): Promise<boolean> {
    this.#status = this.#session.transactionStatus ?? this.#status;
    return Promise.resolve(this.isOpen && this.#status !== "I");
  }

  async reset(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(SETUP_MS);
      if (await this.inTransaction()) await this.#session.execute("ROLLBACK", signal);
      await this.#session.execute("DISCARD ALL", signal);
      await this.#setUp();
    } catch {
      this.destroy();
    }
  }

  destroy(): void {
    this.#session.destroy();
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  async #setUp(): Promise<void> {
    const signal = AbortSignal.timeout(SETUP_MS);
    const all = settings(this.#options).map((setting) => `SET ${setting}`);
    try {
      await this.#session.execute(all.join("; "), signal);
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      for (const each of all) {
        await this.#session.execute(each, signal).catch((cause) => {
          // what must not be missing is that nothing is written
          if (isConnectionLoss(cause) || each.includes("read_only")) throw cause;
        });
      }
    }
  }
}

/** Names without a schema mean those of this one, then the shared one. */
export function useSchema(schema: string): string {
  return schema === "public" ? "SET search_path = public" : `SET search_path = ${quoteName(schema)}, public`;
}
