/**
 * A database that DuckDB has open, be it a database file or data files: the contract of driver.ts over its connections.
 */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type {
  Access,
  CatalogRequest,
  Cursor,
  Database,
  Dialect,
  Query,
  Table,
  TableDetail,
} from "../driver.ts";
import { readDetails, readTables } from "./catalog.ts";
import type { CatalogOptions } from "./catalog_queries.ts";
import { Clock } from "./clock.ts";
import type { Connections } from "./connections.ts";
import { DUCKDB_DIALECT } from "./dialect.ts";
import { statementFault } from "./errors.ts";
import { type Functions, readFunctions } from "./functions.ts";
import { judgeStatement } from "./judge.ts";
import { judgedEngine } from "./judged_engine.ts";
import type { Lease } from "./lease.ts";
import type { DuckDb } from "./library.ts";
import { startStatement } from "./statement.ts";

export interface DatabaseOptions {
  readonly api: DuckDb;
  readonly access: Access;
  readonly excludeSchemas: readonly string[];
  /** The views of the database are the program's own, with functions that no statement may call. */
  readonly ownViews: boolean;
  /** For a statement until its first row, for judging it, and for reading the catalogue, in milliseconds. */
  readonly timeoutMs: number;
}

export class DuckDbDatabase implements Database {
  readonly dialect: Dialect = { ...DUCKDB_DIALECT, judge: (sql, access) => this.#judge(sql, access) };
  readonly #connections: Connections;
  readonly #options: DatabaseOptions;
  /** Of a session that only reads: nobody else can change the macros and views of a file while an instance has it open. */
  readonly #functions = new WeakMap<DuckDBInstance, Functions>();

  constructor(connections: Connections, options: DatabaseOptions) {
    this.#connections = connections;
    this.#options = options;
  }

  async run({ sql, signal }: Query): Promise<Cursor> {
    const clock = new Clock(signal, { ms: this.#options.timeoutMs, what: "the statement" });
    try {
      const lease = await this.#connections.lease(clock.signal);
      const onFirstRows = () => clock.stop();
      return await startStatement(lease, { ...this.#options, sql, signal: clock.signal, onFirstRows });
    } catch (error) {
      clock.stop();
      throw error;
    }
  }

  async tables({ pattern, signal }: CatalogRequest): Promise<readonly Table[]> {
    return await this.#with(signal, (connection) => readTables(connection, this.#catalog(pattern)));
  }

  async describe({ pattern, signal }: CatalogRequest): Promise<readonly TableDetail[]> {
    return await this.#with(signal, (connection) => readDetails(connection, this.#catalog(pattern)));
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  #catalog(pattern: string | undefined): CatalogOptions {
    const { api, excludeSchemas } = this.#options;
    return { api, excludeSchemas, pattern };
  }

  async #judge(sql: string, access: Access): Promise<void> {
    await this.#with(new AbortController().signal, async (connection, instance) => {
      const functions = () => this.#knownFunctions(connection, instance);
      await judgeStatement(sql, { access, engine: judgedEngine(connection, functions) });
    });
  }

  async #knownFunctions(connection: DuckDBConnection, instance: DuckDBInstance): Promise<Functions> {
    const known = this.#functions.get(instance) ?? await readFunctions(connection, this.#options);
    if (this.#options.access === "read") this.#functions.set(instance, known);
    return known;
  }

  /** Work of our own on a connection. */
  async #with<Value>(
    signal: AbortSignal,
    work: (connection: DuckDBConnection, instance: DuckDBInstance) => Promise<Value>,
  ): Promise<Value> {
    const clock = new Clock(signal, { ms: this.#options.timeoutMs, what: "the statement" });
    let lease: Lease | undefined;
    try {
      lease = await this.#connections.lease(clock.signal);
      const { instance } = lease;
      return await lease.use((connection) => work(connection, instance));
    } catch (error) {
      throw statementFault(error);
    } finally {
      clock.stop();
      void lease?.end();
    }
  }
}
