/**
 * The store of query results: keeps every row of a statement on disk and answers for them by id and page.
 * What a row looks like in a file is result_file.ts's, what the model sees of a result preview.ts's.
 */
import { Fault } from "../base/fault.ts";
import type { Cursor } from "../db/driver.ts";
import { DIGITS, rowWriter, uniqueNames } from "../db/values.ts";
import { affectedJson, Preview } from "./preview.ts";
import { MEDIA_TYPE, readPage, ResultWriter } from "./result_file.ts";

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

interface Kept {
  readonly json: string;
  readonly queryResult?: QueryResult;
}

interface KeepOptions {
  readonly database: string;
  readonly callId?: string;
  readonly signal: AbortSignal;
}

/** The largest result that is kept, in bytes (values.md, "Row caps"). */
const MAX_STORED = 2 * 2 ** 30;
/** The largest page that is answered, in bytes of rows. */
const MAX_PAGE = 8 * 2 ** 20;
const PLAIN_CALL_ID = /^[A-Za-z0-9._-]{1,180}$/;

/** Where results are kept, and what becomes of it in the end. */
export interface ResultFolder {
  readonly path: string;
  close(): Promise<void>;
  /** Removes old results whose id is in none of the texts; absent where results end with the process anyway. */
  sweep?(texts: () => Iterable<string>): Promise<void>;
}

export class ResultStore {
  readonly #open: () => Promise<ResultFolder>;
  readonly #results = new Map<string, QueryResult>();
  #folder: Promise<ResultFolder> | undefined;

  /** `open` is called when the first result comes. */
  constructor(open: () => Promise<ResultFolder>) {
    this.#open = open;
  }

  /** Stores all rows of the cursor. Throws Fault: too_large, and what the cursor throws. */
  async keep(cursor: Cursor, options: KeepOptions): Promise<Kept> {
    if (cursor.columns.length === 0) {
      for await (const _ of cursor.batches); // a statement without columns is over when its batches are
      return { json: affectedJson(cursor.affected) };
    }
    const { path } = await (this.#folder ??= this.#open());
    const id = `qr_${crypto.randomUUID().replaceAll("-", "")}`;
    const writer = await ResultWriter.create(`${path}/.tmp-${id}`);
    try {
      const { stored, preview, columns } = await fill(writer, { cursor, signal: options.signal });
      await Deno.rename(`${path}/.tmp-${id}`, `${path}/${id}`);
      const file = `result_${PLAIN_CALL_ID.test(options.callId ?? "") ? options.callId : id}.json`;
      const about = { mediaType: MEDIA_TYPE, databaseName: options.database, createdAt: Date.now() };
      const queryResult: QueryResult = { id, file, columns, ...stored, ...about };
      this.#results.set(id, queryResult);
      const { limit, affected } = cursor;
      return { json: preview.toJson(queryResult, { limit, affected }), queryResult };
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** Makes results of earlier sessions known, of a thread that goes on. */
  adopt(results: Iterable<QueryResult>): void {
    for (const result of results) this.#results.set(result.id, result);
  }

  /** Removes what no thread mentions any more, if it is time to. */
  async sweep(texts: () => Iterable<string>): Promise<void> {
    const folder = await this.#folder;
    await folder?.sweep?.(texts);
  }

  /** Throws Fault: unavailable for an id that is unknown, too_large for a row beyond a page's bound. */
  async page(
    id: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<Page> {
    const result = this.#results.get(id);
    if (!result) throw unavailable(id);
    const { path } = await (this.#folder ??= this.#open());
    const rows = await readPage(`${path}/${id}`, { offset, limit, maxBytes: MAX_PAGE, size: result.size })
      .catch(
        (error) => {
          throw error instanceof Fault ? error : unavailable(id, error);
        },
      );
    return { result, rows, hasMore: offset + rows.length < result.rowCount };
  }

  async close(): Promise<void> {
    await (await this.#folder)?.close();
  }
}

/** Reads the cursor to its end, into the file and as far as the model sees it. */
async function fill(writer: ResultWriter, { cursor, signal }: { cursor: Cursor; signal: AbortSignal }) {
  const columns = uniqueNames(cursor.columns);
  const preview = new Preview(columns);
  const toText = rowWriter(cursor.columns, DIGITS);
  for await (const batch of cursor.batches) {
    for (const row of batch) {
      const text = toText(row);
      preview.add(text);
      await writer.add(text);
    }
    signal.throwIfAborted();
    if (writer.size > MAX_STORED) throw new Fault("too_large", tooLarge());
  }
  return { stored: await writer.finish(), preview, columns };
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
