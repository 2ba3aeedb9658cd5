/**
 * The engine for MySQL and MariaDB: puts connections, statements, values and the catalog together behind the contract
 * of driver.ts.
 */
import { Fault } from "../../base/fault.ts";
import { stopFault } from "../connection_faults.ts";
import type {
  CatalogRequest,
  Cursor,
  Database,
  Dialect,
  Driver,
  OpenOptions,
  Query,
  Server,
  Table,
  TableDetail,
  Target,
} from "../driver.ts";
import { SessionPool } from "../session_pool.ts";
import { Catalog } from "./catalog.ts";
import { Answer } from "./catalog_rows.ts";
import { Connector } from "./connector.ts";
import { DIALECT } from "./dialect.ts";
import { mysqlFault } from "./faults.ts";
import { judge } from "./judge.ts";
import type { Session } from "./session.ts";
import { setUp } from "./setup.ts";
import { beginning, beginStatement, StaleSession } from "./statement.ts";
import type { Call } from "./tree.ts";

export const driver: Driver = {
  open(target: Target, options: OpenOptions): Promise<Database> {
    if (target.engine !== "mysql") {
      throw new Fault("internal", "Cannot open the database: it is not a MySQL server.");
    }
    return Promise.resolve(new MysqlDatabase(target, options));
  },
};

class MysqlDatabase implements Database {
  readonly dialect: Dialect;
  readonly #options: OpenOptions;
  readonly #connector: Connector;
  readonly #pool: SessionPool<Session>;
  readonly #catalog: Catalog;
  readonly #closed = new AbortController();
  /** One for each statement under way; settles when its session is released. */
  readonly #running = new Set<Promise<void>>();

  constructor(target: Server, options: OpenOptions) {
    const { database, excludeSchemas: excluded } = target;
    this.#options = options;
    const { lexis } = DIALECT;
    const findHarmless = (calls: readonly Call[]) => this.#catalog.harmless(calls, this.#timeout());
    this.dialect = {
      ...DIALECT,
      judge: (sql, access) => judge(sql, { access, lexis, database, findHarmless }),
    };
    this.#connector = new Connector(target, {
      timeoutMs: options.timeoutMs,
      prepare: (session) => setUp(session, options),
    });
    this.#pool = new SessionPool((signal) => this.#connector.connect(signal));
    this.#catalog = new Catalog((sql, signal) => this.#ask(sql, signal), {
      ...database === undefined ? {} : { database },
      excluded,
    });
  }

  async run({ sql, signal }: Query): Promise<Cursor> {
    refuseOdd(sql);
    const either = AbortSignal.any([signal, this.#closed.signal]);
    for (;;) {
      const { session, isFresh } = await this.#acquire(either);
      try {
        return await this.#begin(session, { sql, signal: either });
      } catch (error) {
        if (!(error instanceof StaleSession)) throw error;
        if (isFresh) throw mysqlFault(error, { doing: "run the statement" });
      }
    }
  }

  tables(request: CatalogRequest): Promise<readonly Table[]> {
    return this.#catalog.tables(request);
  }

  describe(request: CatalogRequest): Promise<readonly TableDetail[]> {
    return this.#catalog.describe(request);
  }

  async close(): Promise<void> {
    this.#closed.abort(new Fault("closed", "Cannot use the database: it has been closed."));
    await Promise.all(this.#running);
    await this.#pool.close();
  }

  #timeout(): AbortSignal {
    return AbortSignal.timeout(this.#options.timeoutMs);
  }

  async #acquire(signal: AbortSignal): Promise<{ session: Session; isFresh: boolean }> {
    const bounded = AbortSignal.any([signal, this.#timeout()]);
    try {
      return await this.#pool.acquire(bounded);
    } catch (error) {
      throw bounded.aborted ? stopFault(bounded.reason) : error;
    }
  }

  async #begin(session: Session, { sql, signal }: { sql: string; signal: AbortSignal }): Promise<Cursor> {
    const { access, timeoutMs } = this.#options;
    const { promise: released, resolve } = Promise.withResolvers<void>();
    this.#running.add(released);
    return await beginStatement(session, sql, {
      signal,
      timeoutMs,
      kill: (running) => this.#connector.kill(running),
      release: (used) => {
        this.#running.delete(released);
        if (access === "read") used.endReading();
        this.#pool.release(used);
        resolve();
      },
    });
  }

  async #ask(sql: string, signal: AbortSignal): Promise<readonly Answer[]> {
    const cursor = await this.run({ sql, signal, caps: NO_CAPS });
    const places = new Map(cursor.columns.map(({ name }, index) => [name.toUpperCase(), index]));
    const answers: Answer[] = [];
    for await (const rows of cursor.batches) {
      for (const row of rows) answers.push(new Answer(row, places));
    }
    return answers;
  }
}

/** The catalog's own questions are answered whole. */
const NO_CAPS = { unlimited: Infinity, limited: Infinity };

/** A server may take a NUL for the end of the text, and takes a text without a statement for one that ran. */
function refuseOdd(sql: string): void {
  const state = sql.includes("\0")
    ? "it holds a NUL character. Remove it"
    : beginning(sql) === ""
    ? "it is empty. Write one"
    : undefined;
  if (state !== undefined) throw new Fault("not_understood", `Cannot run the statement: ${state}.`);
}
