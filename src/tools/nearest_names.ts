/**
 * Helps after "no such table" or "no such column": adds the nearest names of the visible catalogue to the Fault.
 * Names that do not exist are never repeated.
 */
import { Fault, type FaultCode } from "../base/fault.ts";
import { unlikeness } from "../base/likeness.ts";
import type { Database } from "../db/driver.ts";
import { findTable } from "./find_table.ts";

interface Failed {
  readonly database: Database;
  readonly sql: string;
  readonly signal: AbortSignal;
}

const MAX_NAMES = 5;
/** Tables of the statement whose columns are looked through. */
const MAX_TABLES = 5;
const NAMES = /[\p{L}_][\p{L}\p{N}_$]*|"[^"]+"|`[^`]+`|\[[^\]]+\]/gu;

interface Kind {
  readonly what: string;
  /** Where to look when nothing is near. */
  readonly where: string;
  readonly names: (failed: Failed) => Promise<Known[]>;
}

const KINDS: { readonly [code in FaultCode]?: Kind } = {
  unknown_relation: {
    what: "a table or view",
    where: "list_tables tells which there are",
    names: tableNames,
  },
  unknown_column: { what: "a column", where: "introspect_schema tells which there are", names: columnNames },
};

/** The error itself, or a Fault of the same code that says what exists instead. */
export async function withNearestNames(error: unknown, failed: Failed): Promise<unknown> {
  if (!(error instanceof Fault)) return error;
  const kind = KINDS[error.code];
  if (kind === undefined) return error;
  const known = await kind.names(failed).catch(() => []); // the first error is the one to tell
  const near = nearest(missing(error, failed.sql), known);
  const hint = near.length > 0 ? `The nearest that exist: ${near.join(", ")}` : kind.where;
  const sentence = `Cannot run the statement: it names ${kind.what} that does not exist. ${hint}.`;
  return new Fault(error.code, sentence, { cause: error, ...(error.server ? { server: error.server } : {}) });
}

/** A name of the catalogue: how it is shown, and what it is compared by. */
interface Known {
  readonly shown: string;
  readonly name: string;
}

async function tableNames({ database, signal }: Failed): Promise<Known[]> {
  const tables = await database.tables({ signal });
  return tables.map(({ schema, name }) => ({ shown: `${schema}.${name}`, name: name.toLowerCase() }));
}

async function columnNames({ database, sql, signal }: Failed): Promise<Known[]> {
  const words = new Set(namesIn(sql));
  const used = (await database.tables({ signal })).filter((table) => words.has(table.name.toLowerCase()));
  const known: Known[] = [];
  for (const table of used.slice(0, MAX_TABLES)) {
    const { schema, name } = table;
    const found = await findTable(database, { schema, name, signal });
    for (const { name } of found?.columns ?? []) {
      known.push({ shown: `${table.name}.${name}`, name: name.toLowerCase() });
    }
  }
  return known;
}

/** What the server complained of, as far as the caller's own statement has it. */
function missing(fault: Fault, sql: string): string[] {
  const inStatement = new Set(namesIn(sql));
  return namesIn(fault.server?.message ?? "").filter((name) => inStatement.has(name));
}

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(NAMES), ([name]) => name.replace(/^["`[]|["`\]]$/g, "").toLowerCase());
}

function nearest(missing: readonly string[], known: readonly Known[]): string[] {
  return known
    .map(({ shown, name }) => ({ shown, score: Math.min(...missing.map((word) => unlikeness(word, name))) }))
    .filter(({ score }) => score <= 1)
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_NAMES)
    .map(({ shown }) => shown);
}
