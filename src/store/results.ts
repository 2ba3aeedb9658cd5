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

export class ResultStore {
  readonly #folder: string;
  readonly #close: () => Promise<void>;
  readonly #results = new Map<string, QueryResult>();

  /** Keeps results in `folder`, which exists; `close` is what becomes of it in the end. */
  constructor(folder: string, close: () => Promise<void>) {
    this.#folder = folder;
    this.#close = close;
  }

  /** Stores all rows of the cursor. Throws Fault: too_large, and what the cursor throws. */
  async keep(cursor: Cursor, options: KeepOptions): Promise<Kept> {
    if (cursor.columns.length === 0) {
      for await (const _ of cursor.batches); // a statement without columns is over when its batches are
      return { json: affectedJson(cursor.affected) };
    }
    const id = `qr_${crypto.randomUUID().replaceAll("-", "")}`;
    const writer = await ResultWriter.create(`${this.#folder}/.tmp-${id}`);
    try {
      return await this.#fill(writer, { id, cursor, options });
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  async #fill(writer: ResultWriter, { id, cursor, options }: Filling): Promise<Kept> {
    const columns = uniqueNames(cursor.columns);
    const preview = new Preview(columns);
    const toText = rowWriter(cursor.columns, DIGITS);
    for await (const batch of cursor.batches) {
      for (const row of batch) {
        const text = toText(row);
        preview.add(text);
        await writer.add(text);
      }
      options.signal.throwIfAborted();
      if (writer.size > MAX_STORED) throw new Fault("too_large", tooLarge());
    }
    const stored = await writer.finish();
    await Deno.rename(`${this.#folder}/.tmp-${id}`, `${this.#folder}/${id}`);
    const file = `result_${PLAIN_CALL_ID.test(options.callId ?? "") ? options.callId : id}.json`;
    const queryResult: QueryResult = {
      id,
      file,
      columns,
      ...stored,
      mediaType: MEDIA_TYPE,
      databaseName: options.database,
      createdAt: Date.now(),
    };
    this.#results.set(id, queryResult);
    const { limit, affected } = cursor;
    const shown = { id, file, rowCount: stored.rowCount, columnCount: columns.length };
    return { json: preview.toJson(shown, { limit, affected }), queryResult };
  }

  /** Throws Fault: unavailable for an id that is unknown, too_large for a row beyond a page's bound. */
  async page(
    id: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<Page> {
    const result = this.#results.get(id);
    if (!result) throw unavailable(id);
    const rows = await readPage(`${this.#folder}/${id}`, { offset, limit, maxBytes: MAX_PAGE }).catch(
      (error) => {
        throw error instanceof Fault ? error : unavailable(id, error);
      },
    );
    return { result, rows, hasMore: offset + rows.length < result.rowCount };
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

interface Filling {
  readonly id: string;
  readonly cursor: Cursor;
  readonly options: KeepOptions;
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
