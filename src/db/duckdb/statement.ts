/**
 * One statement from its preparation to its last row. A statement that reads is streamed; one that writes runs in a
 * transaction of its own, which is committed only when it has succeeded.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import type { Access, Cursor } from "../driver.ts";
import { type Executed, toCursor } from "./cursor.ts";
import { statementFault } from "./errors.ts";
import { prepareAllowed } from "./gate.ts";
import type { Lease } from "./lease.ts";
import type { DuckDb } from "./library.ts";

export interface StatementOptions {
  readonly sql: string;
  readonly signal: AbortSignal;
  readonly access: Access;
  readonly api: DuckDb;
  /** Called when the first rows are there, or the end. */
  readonly onFirstRows: () => void;
}

/** Runs the statement until its first row; the cursor ends the lease. Throws Fault, the lease then ended. */
export async function startStatement(lease: Lease, options: StatementOptions): Promise<Cursor> {
  try {
    const executed = await lease.use((connection) => execute(connection, options));
    return toCursor(lease, { ...options, ...executed });
  } catch (error) {
    void lease.end();
    throw statementFault(error);
  }
}

async function execute(connection: DuckDBConnection, options: StatementOptions): Promise<Executed> {
  const prepared = await prepareAllowed(connection, options);
  const { StatementType: kind } = options.api;
  try {
    const reads = prepared.statementType === kind.SELECT || prepared.statementType === kind.EXPLAIN;
    return reads
      ? { result: await prepared.stream() }
      : await executeWrite(connection, { prepared, options });
  } finally {
    prepared.destroySync();
  }
}

/** The rows of RETURNING are held in memory until the transaction is committed. */
async function executeWrite(
  connection: DuckDBConnection,
  { prepared, options }: { prepared: DuckDBPreparedStatement; options: StatementOptions },
): Promise<Executed> {
  await connection.run("BEGIN TRANSACTION");
  try {
    const result = await prepared.run();
    options.signal.throwIfAborted();
    await connection.run("COMMIT");
    const { CHANGED_ROWS, QUERY_RESULT } = options.api.ResultReturnType;
    if (result.returnType === CHANGED_ROWS) return { result, affected: result.rowsChanged };
    return result.returnType === QUERY_RESULT ? { result, affected: result.rowCount } : { result };
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
