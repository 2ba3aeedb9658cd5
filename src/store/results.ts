/**
 * The store of query results: keeps every row of a statement on disk and answers for them by id and page.
 * What a row looks like in a file is result_file.ts's, what the model sees of a result preview.ts's.
 */
import { collectSoon } from "../base/collect_soon.ts";
import { Fault } from "../base/fault.ts";
import type { Cursor } from "../db/driver.ts";
import { uniqueNames } from "../db/values.ts";
import { inDraft } from "./draft_folder.ts";
import { isIntact } from "./file_sum.ts";
import { affectedJson, Preview } from "./preview.ts";
import { type CellKind, CellKinds, readCellKinds } from "./cell_kinds.ts";
import { RowBytes } from "./row_bytes.ts";
import { MEDIA_TYPE, readKinds, readPage, readRows, ResultWriter, rowsPath } from "./result_file.ts";

/** The handle of a stored result (the RPC contract's QueryResult). */
export interface QueryResult {
  /** `qr_` and 32 hex digits. */
  readonly id: string;
  readonly file: string;
  readonly rowCount: number;
  readonly columns: readonly string[];
  /** Bytes of the stored rows, and their SHA-256 as hex. */
  readonly size: number;
  readonly sha256: string;
  readonly mediaType: string;
  readonly databaseName?: string;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
}

export interface Page {
  readonly result: QueryResult;
  /** Rows as JSON texts. */
  readonly rows: readonly string[];
  readonly hasMore: boolean;
}

export interface Kept {
  readonly json: string;
  readonly queryResult?: QueryResult;
}

export interface KeepOptions {
  readonly database: string;
  readonly callId?: string;
  readonly signal: AbortSignal;
}

/** The largest result that is kept, in bytes (docs/values.md, "Row caps"). */
const MAX_STORED = 2 * 2 ** 30;
/** How many bytes of rows leave enough garbage behind to collect it. */
const COLLECT_BYTES = 4 << 20;
/** The largest page that is answered, in bytes of rows. */
const MAX_PAGE = 8 * 2 ** 20;
const PLAIN_CALL_ID = /^[A-Za-z0-9._-]{1,180}$/;

/** A result to be read whole. */
export interface Source {
  readonly result: QueryResult;
  /** Of each column's values. */
  readonly kinds: readonly ReadonlySet<CellKind>[];
  /** All rows as JSON texts. */
  rows(): AsyncIterable<string>;
}

export class ResultStore {
  readonly #folder: () => Promise<string>;
  readonly #results = new Map<string, QueryResult>();

  /** `folder`: where results are kept; asked for when there is one. */
  constructor(folder: () => Promise<string>) {
    this.#folder = folder;
  }

  /** Stores all rows of the cursor. Throws Fault: too_large, unavailable, and what the cursor throws. */
  async keep(cursor: Cursor, options: KeepOptions): Promise<Kept> {
    if (cursor.columns.length === 0) {
      for await (const _ of cursor.batches); // a statement without columns is over when its batches are
      return { json: affectedJson(cursor.affected) };
    }
    const id = `qr_${crypto.randomUUID().replaceAll("-", "")}`;
    try {
      const draft = { parent: await this.#folder(), id, what: "the result" };
      const { stored, preview, columns } = await inDraft(draft, async (folder) => {
        using writer = await ResultWriter.create(folder);
        return await fill(writer, { cursor, signal: options.signal });
      });
      const file = `result_${PLAIN_CALL_ID.test(options.callId ?? "") ? options.callId : id}.json`;
      const about = { mediaType: MEDIA_TYPE, databaseName: options.database, createdAt: Date.now() };
      const queryResult: QueryResult = { id, file, columns, ...stored, ...about };
      this.#results.set(id, queryResult);
      const { limit, affected } = cursor;
      return { json: preview.toJson(queryResult, { limit, affected }), queryResult };
    } finally {
      await cursor.close(); // also when not one row was read
    }
  }

  /** Makes a result of an earlier session known, of a thread that goes on. */
  adopt(result: QueryResult): void {
    this.#results.set(result.id, result);
  }

  /** Throws Fault: unavailable for an id that is unknown, too_large for a row beyond a page's bound. */
  async page(
    id: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<Page> {
    const result = this.#find(id);
    try {
      const folder = `${await this.#folder()}/${id}`;
      const rows = await readPage(folder, { offset, limit, maxBytes: MAX_PAGE, size: result.size });
      return { result, rows, hasMore: offset + rows.length < result.rowCount };
    } catch (error) {
      throw error instanceof Fault ? error : unavailable(id, error);
    }
  }

  /** The whole of a result. Throws Fault `unavailable` also for rows that are not as they were written. */
  async source(id: string, signal: AbortSignal): Promise<Source> {
    const result = this.#find(id);
    try {
      const folder = `${await this.#folder()}/${id}`;
      const kinds = readCellKinds(await readKinds(folder));
      if (!await isIntact(rowsPath(folder), { ...result, signal })) throw new Error("the rows have changed");
      return { result, kinds, rows: () => readRows(folder) };
    } catch (error) {
      signal.throwIfAborted();
      throw unavailable(id, error);
    }
  }

  #find(id: string): QueryResult {
    const result = this.#results.get(id);
    if (result) return result;
    throw unavailable(id);
  }
}

/** Reads the cursor to its end, into the file and as far as the model sees it. */
async function fill(writer: ResultWriter, { cursor, signal }: { cursor: Cursor; signal: AbortSignal }) {
  const columns = uniqueNames(cursor.columns);
  const preview = new Preview(columns);
  const kinds = new CellKinds(columns.length);
  const bytes = new RowBytes(columns);
  let collected = 0;
  for await (const batch of cursor.batches) {
    for (const row of batch) {
      const line = bytes.write(row);
      preview.add(line);
      kinds.add(row);
      await writer.add(line);
    }
    signal.throwIfAborted();
    if (writer.size > MAX_STORED) throw new Fault("too_large", tooLarge());
    if (writer.size - collected > COLLECT_BYTES) {
      collectSoon();
      collected = writer.size;
    }
  }
  return { stored: await writer.finish(kinds.toJson()), preview, columns };
}

function tooLarge(): string {
  return `Cannot keep the result: it has more than ${
    MAX_STORED / 2 ** 30
  } GiB. Select fewer rows or columns.`;
}

function unavailable(id: string, cause?: unknown): Fault {
  const shown = JSON.stringify(id.slice(0, 64));
  return new Fault("unavailable", `Query result ${shown} is unavailable.`, { cause });
}
