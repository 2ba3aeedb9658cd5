/**
 * A database behind the guard, with the same contract: statements are judged and limited before they run, take no longer than
 * allowed, and return no more rows than allowed; whatever goes wrong is a Fault. It knows no engine.
 */
import { Deadline } from "./deadline.ts";
import type {
  CatalogRequest,
  Column,
  Cursor,
  Database,
  LimitReport,
  OpenOptions,
  Query,
  Table,
  TableDetail,
} from "./driver.ts";
import { type LimitedStatement, limitRows } from "./limit.ts";
import { judge } from "./policy.ts";
import type { Row } from "./values.ts";

/** How long a statement may go on once its first row is there. */
const STREAMING = { ms: 600_000, what: "reading the rows" };

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

  async run({ sql, caps, signal }: Query): Promise<Cursor> {
    const { dialect } = this;
    const { access, timeoutMs } = this.#options;
    const verdict = judge(sql, { dialect, access });
    const limited = limitRows(verdict, caps);
    const deadline = new Deadline(signal, { ms: timeoutMs, what: "the statement" });
    try {
      await deadline.wait(async () => await dialect.judge?.(limited.sql, access));
      const query = { sql: limited.sql, caps, signal: deadline.signal };
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

interface Guards {
  readonly deadline: Deadline;
  readonly limited: LimitedStatement;
  /** A statement that writes is read to its end, since stopping it would undo it. */
  readonly mustEnd: boolean;
}

class GuardedCursor implements Cursor {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly limit: LimitReport;
  readonly #inner: Cursor;
  readonly #guards: Guards;
  #truncated = false;

  constructor(inner: Cursor, guards: Guards) {
    this.columns = inner.columns;
    this.#inner = inner;
    this.#guards = guards;
    this.batches = this.#read();
    const isTruncated = () => this.#truncated;
    this.limit = {
      added: guards.limited.added,
      get truncated() {
        return isTruncated();
      },
    };
  }

  get affected(): number | undefined {
    return this.#inner.affected;
  }

  async close(): Promise<void> {
    const { deadline } = this.#guards;
    try {
      await deadline.wait(() => this.#inner.close());
    } finally {
      deadline.end();
    }
  }

  async *#read(): AsyncGenerator<readonly Row[]> {
    const { deadline, limited, mustEnd } = this.#guards;
    const rows = this.#inner.batches[Symbol.asyncIterator]();
    let left = limited.cap;
    try {
      for (let isFirst = true;; isFirst = false) {
        const { done, value } = await deadline.wait(() => rows.next());
        if (done) return;
        if (isFirst) deadline.extend(STREAMING);
        if (value.length > left) this.#truncated = true;
        const batch = value.length > left ? value.slice(0, left) : value;
        left -= batch.length;
        if (batch.length > 0) yield batch;
        if (this.#truncated && !mustEnd) return;
      }
    } finally {
      await this.#stop(rows);
    }
  }

  /** An engine that was stopped already is not waited for again. */
  async #stop(rows: AsyncIterator<readonly Row[]>): Promise<void> {
    const { deadline } = this.#guards;
    try {
      await deadline.wait(async () => await rows.return?.());
    } catch {
      // What stopping says changes nothing for who has read the rows.
    } finally {
      deadline.end();
    }
  }
}
