/**
 * The rows of a statement that has begun, read chunk by chunk and handed out in smaller batches.
 */
import type { DuckDBResult } from "@duckdb/node-api";
import type { Cursor } from "../driver.ts";
import type { Row } from "../values.ts";
import { chunkRows, toCellOf, typeName } from "./cells.ts";
import { statementFault } from "./errors.ts";
import { explainFailure } from "./late_failure.ts";
import type { Held } from "./lease.ts";
import type { DuckDb } from "./library.ts";
import type { ToCell } from "./scalars.ts";

/**
 * Rows of a batch. A chunk of DuckDB's has up to 2,048; as many rows at once would survive V8's small collections so often
 * that it grows its heap by 40 MB.
 */
const BATCH = 128;

/** What executing gives: rows still to be read, and how many were changed where DuckDB says. */
export interface Executed {
  readonly result: DuckDBResult;
  readonly affected?: number;
}

export interface CursorOptions {
  readonly sql: string;
  readonly api: DuckDb;
  /** Called when the first rows are there, or the end. */
  readonly onFirstRows: () => void;
}

/** The cursor ends the lease. */
export function toCursor(lease: Held, { result, affected, ...options }: Executed & CursorOptions): Cursor {
  const { api } = options;
  const types = result.returnType === api.ResultReturnType.QUERY_RESULT ? result.columnTypes() : [];
  const reader = new BatchReader(lease, {
    result,
    toCells: types.map((type) => toCellOf(type, api)),
    ...options,
  });
  return {
    columns: types.map((type, index) => ({ name: result.columnName(index), type: typeName(type) })),
    batches: reader.read(),
    close: () => reader.close(),
    ...(affected === undefined ? {} : { affected }),
  };
}

type Reading = CursorOptions & { readonly result: DuckDBResult; readonly toCells: readonly ToCell[] };

class BatchReader {
  readonly #lease: Held;
  readonly #reading: Reading;
  readonly #isStream: boolean;
  #isClosed = false;

  constructor(lease: Held, reading: Reading) {
    this.#lease = lease;
    this.#reading = reading;
    this.#isStream = reading.result.isStreaming;
  }

  async *read(): AsyncGenerator<readonly Row[]> {
    const { result, toCells, onFirstRows, sql } = this.#reading;
    try {
      while (toCells.length > 0 && !this.#isClosed) {
        const chunk = await this.#lease.use(() => result.fetchChunk());
        onFirstRows();
        if (chunk === null || chunk.rowCount === 0) {
          if (this.#isStream && !result.isStreaming) await explainFailure(this.#lease, sql);
          return;
        }
        for (let from = 0; from < chunk.rowCount; from += BATCH) {
          yield chunkRows(chunk, toCells, { from, to: Math.min(from + BATCH, chunk.rowCount) });
        }
        // its long texts would otherwise stay until V8 collects the chunk, which looks small to it
        chunk.reset();
      }
    } catch (error) {
      if (!this.#isClosed) throw statementFault(error);
    } finally {
      onFirstRows();
      await this.#lease.end();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reading.onFirstRows();
    await this.#lease.end();
  }
}
