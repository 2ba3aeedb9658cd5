/**
 * The SQLite engine: opens files, runs statements in processes that can be killed, and reads the catalog.
 * What a statement may do besides reading is the guard's to judge; SQLite's own walls are in sqlite_child/.
 */
import { Fault } from "../../base/fault.ts";
import type {
  CatalogRequest,
  Cursor,
  Database,
  Driver,
  OpenOptions,
  Query,
  Table,
  TableDetail,
  Target,
} from "../driver.ts";
import { fileKind } from "../file_kind.ts";
import type { Row } from "../values.ts";
import { readDetails, readTables } from "./catalog.ts";
import { start } from "./cursor.ts";
import { SQLITE } from "./dialect.ts";
import { Line } from "./line.ts";
import { Pool, type PoolOptions } from "./pool.ts";
import { lastPart } from "../paths.ts";

/** The longest wait for another process's lock, in milliseconds; never more than half of what a statement may take. */
const BUSY_MS = 5000;

export const driver: Driver = { open: (target, options) => Promise.try(open, target, options) };

/** `idleMs` is for tests: how long a process may be idle before it is let go. */
export function open(
  target: Target,
  options: OpenOptions & Pick<PoolOptions, "idleMs">,
): Database {
  if (target.engine !== "sqlite") {
    throw new Fault("bad_target", "Cannot open the database: it is not a SQLite file. Name one.");
  }
  const { path } = target;
  if (path !== ":memory:" && fileKind(path, { typed: lastPart(path), expected: "sqlite" }) !== "sqlite") {
    throw new Fault(
      "bad_target",
      "Cannot open the database: the file is not a SQLite database. Check the path.",
    );
  }
  const busyMs = Math.min(BUSY_MS, Math.floor(options.timeoutMs / 2));
  const { access, timeoutMs, ...rest } = options;
  return new SqliteDatabase(new Pool({ ...rest, path, access, busyMs }), { access, timeoutMs });
}

class SqliteDatabase implements Database {
  readonly dialect = SQLITE;
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  /** Only where nothing is written: it may begin a statement twice. */
  readonly #line: Line | undefined;

  constructor(pool: Pool, { access, timeoutMs }: OpenOptions) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    if (access === "read") this.#line = new Line(pool);
  }

  run({ sql, signal, written, place }: Query): Promise<Cursor> {
    const statement = { sql, ...written && { written } };
    return place && this.#line
      ? this.#line.start(statement, { signal, place })
      : start(statement, { pool: this.#pool, signal, timeoutMs: this.#timeoutMs });
  }

  tables(request: CatalogRequest): Promise<readonly Table[]> {
    return readTables((sql, parameters) => this.#ask({ sql, parameters }, request.signal), request);
  }

  describe(request: CatalogRequest): Promise<readonly TableDetail[]> {
    return readDetails((sql, parameters) => this.#ask({ sql, parameters }, request.signal), request);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #ask(
    statement: { readonly sql: string; readonly parameters: readonly (string | null)[] },
    signal: AbortSignal,
  ): Promise<readonly Row[]> {
    const options = { pool: this.#pool, signal, timeoutMs: this.#timeoutMs };
    const { batches } = await start({ ...statement, own: true }, options);
    return (await Array.fromAsync(batches)).flat();
  }
}
