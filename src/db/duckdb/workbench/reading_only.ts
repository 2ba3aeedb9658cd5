/**
 * The wall of sessions that only read, where no file's read-only mode is one: the kinds of statements that may run are
 * DuckDB's own.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { Fault } from "../../../base/fault.ts";
import type { DuckDb } from "../library.ts";

const EXPLAIN = /^\s*explain\s*(?:\([^)]*\)|analyze\b)?\s*/i;

/** Throws Fault `not_read_only`. */
export async function checkReads(
  prepared: DuckDBPreparedStatement,
  { sql, api, connection }: {
    readonly sql: string;
    readonly api: DuckDb;
    readonly connection: DuckDBConnection;
  },
): Promise<void> {
  const kind = api.StatementType;
  const harmless: readonly number[] = [kind.SELECT, kind.TRANSACTION, kind.SET, kind.VARIABLE_SET];
  const isExplain = prepared.statementType === kind.EXPLAIN;
  if (harmless.includes(isExplain ? await explainedKind(sql, connection) : prepared.statementType)) return;
  throw new Fault(
    "not_read_only",
    "Cannot run the statement: the files are read-only. Write what you want to keep into a database.",
  );
}

/** What an EXPLAIN explains, which ANALYZE would run; -1 for what is no single statement. */
async function explainedKind(sql: string, connection: DuckDBConnection): Promise<number> {
  const statements = await connection.extractStatements(sql.replace(EXPLAIN, ""));
  if (statements.count !== 1) return -1;
  const prepared = await statements.prepare(0);
  const { statementType } = prepared;
  prepared.destroySync();
  return statementType;
}
