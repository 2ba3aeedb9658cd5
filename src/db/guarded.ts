/**
 * A database behind the guard, with the same contract: statements are judged and limited before they run, take no longer than
 * allowed, and return no more rows than allowed; whatever goes wrong is a Fault. It knows no engine.
 */
import { type Bound, Deadline, LONGEST_MS } from "./deadline.ts";
import type {
  CatalogRequest,
  Cursor,
  Database,
  LinePlace,
  OpenOptions,
  Query,
  Table,
  TableDetail,
  Touched,
} from "./driver.ts";
import { GuardedCursor } from "./guarded_cursor.ts";
import { limitRows } from "./limit.ts";
import { judge } from "./policy.ts";
import { type TouchedRows, touchedRows } from "./touched_rows.ts";

/** How long counting the rows that a statement would change may take, in milliseconds. */
const COUNT_MS = 2000;

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

  async run({ sql, caps, signal, written, place }: Query): Promise<Cursor> {
    const { dialect } = this;
    const { access, timeoutMs } = this.#options;
    const verdict = judge(sql, { dialect, access });
    const limited = limitRows(verdict, caps);
    const bound = { ms: timeoutMs, what: "the statement" };
    const deadline = new Deadline(signal, bound);
    let running: Promise<Cursor> | undefined;
    try {
      const judging = dialect.judge?.(limited.sql, access);
      if (judging !== undefined) await deadline.wait(() => judging);
      const query = {
        sql: limited.sql,
        caps,
        signal: deadline.signal,
        ...written && { written },
        ...place && { place: timed(place, { deadline, bound }) },
      };
      const cursor = await deadline.wait(() => running = this.#inner.run(query));
      return new GuardedCursor(cursor, { deadline, limited, mustEnd: verdict.kind === "write" });
    } catch (error) {
      deadline.end();
      // Stopped at the moment when it had its first rows, it has a cursor that nobody will read.
      running?.then((cursor) => cursor.close()).catch(() => {});
      throw error;
    }
  }

  async tables(request: CatalogRequest): Promise<readonly Table[]> {
    return await this.#readCatalog(request, (inner) => this.#inner.tables(inner));
  }

  async describe(request: CatalogRequest): Promise<readonly TableDetail[]> {
    return await this.#readCatalog(request, (inner) => this.#inner.describe(inner));
  }

  async touches({ sql, signal }: Pick<Query, "sql" | "signal">): Promise<Touched | undefined> {
    try {
      const found = touchedRows(sql, this.dialect.lexis);
      return found && { table: found.table, rows: await this.#count(found, signal) };
    } catch {
      return undefined; // the statement is refused when it is run, and the reason told then
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #count({ count }: TouchedRows, signal: AbortSignal): Promise<number | undefined> {
    if (typeof count !== "string") return count;
    const either = AbortSignal.any([signal, AbortSignal.timeout(COUNT_MS)]);
    try {
      const cursor = await this.run({ sql: count, caps: { unlimited: 1, limited: 1 }, signal: either });
      for await (const [row] of cursor.batches) {
        const rows = Number(String(row?.[0]));
        if (Number.isSafeInteger(rows)) return rows;
      }
      return undefined;
    } catch {
      return undefined;
    }
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

/** While a statement waits for its turn, its time does not pass. */
function timed(place: LinePlace, { deadline, bound }: { deadline: Deadline; bound: Bound }): LinePlace {
  return {
    taken: () => place.taken(),
    waits: () => {
      deadline.extend({ ...bound, ms: LONGEST_MS });
      place.waits();
    },
    begun: () => {
      deadline.extend(bound);
      place.begun();
    },
  };
}
