/**
 * The rows of a statement that has begun, read chunk by chunk.
 */
import type { DuckDBResult } from "@duckdb/node-api";
import type { Cursor } from "../driver.ts";
import type { Row } from "../values.ts";
import { chunkRows, toCellOf, typeName } from "./cells.ts";
import { statementFault } from "./errors.ts";
import type { Lease } from "./lease.ts";
import type { DuckDb } from "./library.ts";
import type { ToCell } from "./scalars.ts";

/** What executing gives: rows still to be read, and how many were changed where DuckDB says. */
export interface Executed {
  readonly result: DuckDBResult;
  readonly affected?: number;
}

/** The cursor ends the lease. */
export function toCursor(
  lease: Lease,
  { result, affected, api }: Executed & { readonly api: DuckDb },
): Cursor {
  const types = result.returnType === api.ResultReturnType.QUERY_RESULT ? result.columnTypes() : [];
  const columns = types.map((type, index) => ({ name: result.columnName(index), type: typeName(type) }));
  const toCells = types.map((type) => toCellOf(type, api));
  return {
    columns,
    batches: readBatches(lease, { result, toCells }),
    close: () => lease.end(),
    ...(affected === undefined ? {} : { affected }),
  };
}

/** A chunk of DuckDB's, at most 2,048 rows, is a batch. */
async function* readBatches(
  lease: Lease,
  { result, toCells }: { readonly result: DuckDBResult; readonly toCells: readonly ToCell[] },
): AsyncGenerator<readonly Row[]> {
  try {
    while (toCells.length > 0) {
      const chunk = await lease.use(() => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunkRows(chunk, toCells);
    }
  } catch (error) {
    throw statementFault(error);
  } finally {
    await lease.end();
  }
}
