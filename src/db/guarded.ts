/**
 * A database behind the guard, with the same contract: statements are judged and limited before they run, take no longer than
 * allowed, and return no more rows than allowed; whatever goes wrong is a Fault. It knows no engine.
 */
import { Deadline } from "./deadline.ts";
import type { CatalogRequest, Cursor, Database, OpenOptions, Query, Table, TableDetail } from "./driver.ts";
import { GuardedCursor } from "./guarded_cursor.ts";
import { limitRows } from "./limit.ts";
import { judge } from "./policy.ts";

export function guard(database: Database, options: OpenOptions): Database {
  return new GuardedDatabase(database, options);
}

class GuardedDatabase implements Database {
  readonly dialect: Database["dialect"];
  readonly #inner: Database;
  readonly #options: OpenOptions;

  constructor(inner: Database, options: OpenOptions) {
    this.dialect = inner.dialect;
    this.#inner = inner;
    this.#options = options;
  }

  async run({ sql, caps, signal, written }: Query): Promise<Cursor> {
    const { dialect } = this;
    const { access, timeoutMs } = this.#options;
    const verdict = judge(sql, { dialect, access });
    const limited = limitRows(verdict, caps);
    const deadline = new Deadline(signal, { ms: timeoutMs, what: "the statement" });
    try {
      const judging = dialect.judge?.(limited.sql, access);
      if (judging !== undefined) await deadline.wait(() => judging);
      const query = { sql: limited.sql, caps, signal: deadline.signal, ...written && { written } };
      const cursor = await deadline.wait(() => this.#inner.run(query));
      return new GuardedCursor(cursor, { deadline, limited, mustEnd: verdict.kind === "write" });
    } catch (error) {
      deadline.end();
      throw error;
    }
  }

  async tables(request: CatalogRequest): Promise<readonly Table[]> {
    return await this.#readCatalog(request, (inner) => this.#inner.tables(inner));
  }

  async describe(request: CatalogRequest): Promise<readonly TableDetail[]> {
    return await this.#readCatalog(request, (inner) => this.#inner.describe(inner));
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #readCatalog<T>(
    request: CatalogRequest,
    read: (inner: CatalogRequest) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(request.signal, {
      ms: this.#options.timeoutMs,
      what: "reading the catalog",
    });
    try {
      return await deadline.wait(() => read({ ...request, signal: deadline.signal }));
    } finally {
      deadline.end();
    }
  }
}
