/**
 * The PostgreSQL engine: puts connections, transactions, values and the catalog together behind the contract of
 * driver.ts. Also for servers that speak its protocol.
 */
import { Fault } from "../../base/fault.ts";
import { settle } from "../../base/settle.ts";
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
import { readDetails, readTables } from "./catalog.ts";
import { PostgresCursor } from "./cursor.ts";
import { DIALECT } from "./dialect.ts";
import { discover } from "./discovery.ts";
import { Hosts } from "./hosts.ts";
import { Judge } from "./judge.ts";
import { type Ask, reading, type Source } from "./lease.ts";
import { refuseNul } from "./parser.ts";
import { readPlainDetails, readPlainTables } from "./plain_catalog.ts";
import type { TextRow } from "./session.ts";
import { Statement } from "./statement.ts";
import { Transactions } from "./transaction.ts";
import { TypeCatalog } from "./type_catalog.ts";

/** One more connection reads the catalog while all those for statements are in use. */
const CATALOG_CONNECTIONS = 1;

/** How long closing waits for the statements that it has asked to stop, in milliseconds. */
const CLOSE_MS = 500;

export const driver: Driver = {
  async open(target: Target, options: OpenOptions): Promise<Database> {
    if (target.engine !== "postgres") {
      throw new Fault("internal", "Cannot open the database: it is not a PostgreSQL server.");
    }
    return await Promise.resolve(new PostgresDatabase(target, options));
  },
};

class PostgresDatabase implements Database {
  readonly dialect: Dialect;
  readonly #target: Server;
  readonly #options: OpenOptions;
  readonly #statements: Source;
  readonly #catalog: Source;
  readonly #types: TypeCatalog;
  readonly #judge: Judge;
  readonly #running = new Set<Statement>();
  readonly #closing = new AbortController();

  constructor(target: Server, options: OpenOptions) {
    const hosts = new Hosts(target);
    const connect = (signal: AbortSignal) => hosts.connect(signal);
    const transactions = new Transactions(options.timeoutMs);
    this.#target = target;
    this.#options = options;
    this.#statements = { pool: new SessionPool(connect), transactions };
    this.#catalog = { pool: new SessionPool(connect, { size: CATALOG_CONNECTIONS }), transactions };
    const ask: Ask = (query, parameters) => this.#ask(query, parameters);
    this.#types = new TypeCatalog(ask);
    this.#judge = new Judge(ask);
    this.dialect = { ...DIALECT, judge: (sql, access) => this.#judge.judge(sql, access) };
  }

  async run({ sql, signal }: Query): Promise<Cursor> {
    refuseNul(sql);
    const { timeoutMs } = this.#options;
    const access = this.#options.access === "write" && await this.#judge.writes(sql) ? "write" : "read";
    const both = AbortSignal.any([signal, this.#closing.signal]);
    const statement = await Statement.start(sql, { ...this.#statements, access, timeoutMs, signal: both });
    this.#running.add(statement);
    void statement.settled.then(() => this.#running.delete(statement));
    return await PostgresCursor.open(statement, this.#types);
  }

  async tables({ pattern, signal }: CatalogRequest): Promise<readonly Table[]> {
    const roads = { full: readTables, plain: readPlainTables };
    return await discover(this.#discovery(signal), { pattern, roads });
  }

  async describe({ pattern, signal }: CatalogRequest): Promise<readonly TableDetail[]> {
    const roads = { full: readDetails, plain: readPlainDetails };
    return await discover(this.#discovery(signal), { pattern, roads });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Fault("closed", "Cannot run the statement: the database has been closed."));
    await settle(Promise.all([...this.#running].map(({ settled }) => settled)), { ms: CLOSE_MS });
    await Promise.all([this.#statements.pool.close(), this.#catalog.pool.close()]);
  }

  #discovery(signal: AbortSignal) {
    const { excludeSchemas } = this.#target;
    return { source: this.#statements, excludeSchemas, signal: this.#bounded(signal) };
  }

  /** What the engine asks for itself. */
  async #ask(query: string, parameters: readonly string[]): Promise<readonly TextRow[]> {
    return await reading(this.#catalog, { signal: this.#bounded(), use: (ask) => ask(query, parameters) });
  }

  #bounded(signal?: AbortSignal): AbortSignal {
    const own = [this.#closing.signal, AbortSignal.timeout(this.#options.timeoutMs)];
    return AbortSignal.any(signal ? [signal, ...own] : own);
  }
}
