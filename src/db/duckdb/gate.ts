/**
 * Which statements DuckDB is given to run: one at a time, of the kinds that the session may use. The kind is DuckDB's own,
 * asked of the prepared statement. What a statement's functions may do is judge.ts's.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { Fault } from "../../base/fault.ts";
import type { Access } from "../driver.ts";
import type { DuckDb } from "./library.ts";

/** Behind white space and comments, the word and the rest. */
const EXPLAIN = /^(?:\s|--[^\n]*\n|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/)*explain\b(.*)$/is;

interface GateOptions {
  readonly access: Access;
  readonly api: DuckDb;
}

/** Prepares the statement. Throws Fault: multiple_statements, not_read_only; and DuckDB's own errors. */
export async function prepareAllowed(
  connection: DuckDBConnection,
  { sql, access, api }: GateOptions & { readonly sql: string },
): Promise<DuckDBPreparedStatement> {
  const prepared = await prepareOnly(connection, sql);
  try {
    if (prepared.statementType === api.StatementType.EXPLAIN) await checkExplained(connection, { sql, api });
    else checkKind(prepared, { access, api });
    return prepared;
  } catch (error) {
    prepared.destroySync();
    throw error;
  }
}

/**
 * What an EXPLAIN explains; undefined for other statements. Of its options only FORMAT is passed over, so a text that still
 * begins with options, ANALYZE among them, is no statement to DuckDB.
 */
export function explained(sql: string): string | undefined {
  const [, rest] = EXPLAIN.exec(sql) ?? [];
  return rest?.replace(/^\s*\(\s*format\s+\w+\s*\)/i, "");
}

/** DuckDB would read a text up to its first NUL. Throws Fault `not_understood`. */
export function checkText(sql: string): void {
  if (sql.includes("\0") || !sql.isWellFormed()) {
    throw new Fault(
      "not_understood",
      "Cannot run the statement: it holds a NUL or a broken character. Remove it.",
    );
  }
}

async function prepareOnly(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  checkText(sql);
  const statements = await connection.extractStatements(sql);
  if (statements.count > 1) {
    throw new Fault(
      "multiple_statements",
      "Cannot run more than one statement at once: send them one by one. PIVOT counts as several without a list of values: write ON column IN (…).",
    );
  }
  return await statements.prepare(0);
}

/** EXPLAIN ANALYZE runs what it explains, so only a SELECT that stands right behind EXPLAIN will do. */
async function checkExplained(
  connection: DuckDBConnection,
  { sql, api }: { readonly sql: string; readonly api: DuckDb },
): Promise<void> {
  const prepared = await prepareOnly(connection, explained(sql) ?? "").catch(() => undefined);
  const isSelect = prepared?.statementType === api.StatementType.SELECT;
  prepared?.destroySync();
  if (isSelect) return;
  throw new Fault(
    "not_read_only",
    "Cannot run the EXPLAIN: only EXPLAIN of a SELECT is allowed, without ANALYZE.",
  );
}

function checkKind(prepared: DuckDBPreparedStatement, { access, api }: GateOptions): void {
  const kind = api.StatementType;
  const { statementType } = prepared;
  if (statementType === kind.SELECT) return;
  const writing: number[] = [kind.INSERT, kind.UPDATE, kind.DELETE, kind.CREATE, kind.ALTER];
  if (access === "write" && writing.includes(statementType)) return;
  const allowed = access === "read"
    ? "SELECT and EXPLAIN"
    : "SELECT, EXPLAIN, INSERT, UPDATE, DELETE, CREATE and ALTER";
  const name = (kind[statementType] ?? "unknown").replaceAll("_", " ");
  throw new Fault("not_read_only", `Cannot run a statement of the kind ${name}: allowed are ${allowed}.`);
}
