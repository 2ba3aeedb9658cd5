/**
 * Helps after "no such table" or "no such column": adds the nearest names of the visible catalogue to the Fault.
 * Names that do not exist are never repeated.
 */
import { Fault } from "../base/fault.ts";
import type { Database, Table } from "../db/driver.ts";

interface Failed {
  readonly database: Database;
  readonly sql: string;
  readonly signal: AbortSignal;
}

const MAX_NAMES = 5;
/** Tables of the statement whose columns are looked through. */
const MAX_TABLES = 5;
const NAMES = /[\p{L}_][\p{L}\p{N}_$]*|"[^"]+"|`[^`]+`|\[[^\]]+\]/gu;

/** The error itself, or a Fault of the same code whose sentence ends with what exists. */
export async function withNearestNames(error: unknown, failed: Failed): Promise<unknown> {
  if (!(error instanceof Fault)) return error;
  if (error.code !== "unknown_relation" && error.code !== "unknown_column") return error;
  const known = await (error.code === "unknown_relation" ? tableNames(failed) : columnNames(failed))
    .catch(() => []); // the first error is the one to tell, also when the catalogue can't be read
  const near = nearest(missing(error, failed.sql), known);
  const hint = near.length > 0
    ? `The nearest names that exist: ${near.join(", ")}.`
    : error.code === "unknown_relation"
    ? "list_tables tells which tables exist."
    : "introspect_schema tells which columns exist.";
  return new Fault(error.code, `${error.message} ${hint}`, {
    cause: error,
    ...(error.server ? { server: error.server } : {}),
  });
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
    const pattern = `${table.schema}.${table.name}`;
    const found = await database.describe({ pattern, signal });
    for (const { name } of found.find((detail) => isSame(detail, table))?.columns ?? []) {
      known.push({ shown: `${table.name}.${name}`, name: name.toLowerCase() });
    }
  }
  return known;
}

function isSame(one: Table, other: Table): boolean {
  return one.schema === other.schema && one.name === other.name;
}

/** What the server complained of, as far as the caller's own statement has it. */
function missing(fault: Fault, sql: string): string[] {
  const inStatement = new Set(namesIn(sql));
  return fault.server === undefined
    ? [...inStatement]
    : [...new Set(namesIn(fault.server.message))].filter((name) => inStatement.has(name));
}

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(NAMES), ([name]) => name.replace(/^["`[]|["`\]]$/g, "").toLowerCase());
}

function nearest(missing: readonly string[], known: readonly Known[]): string[] {
  const exact = new Set(known.map(({ name }) => name));
  const unknown = missing.filter((name) => !exact.has(name));
  return known
    .map(({ shown, name }) => ({ shown, score: Math.min(...unknown.map((word) => score(word, name))) }))
    .filter(({ score }) => score <= 1)
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_NAMES)
    .map(({ shown }) => shown);
}

/** Up to 1 where the names are alike: a third of the letters differ, or one holds the other. */
function score(word: string, name: string): number {
  const [short, long] = word.length < name.length ? [word, name] : [name, word];
  if (short.length >= 4 && long.includes(short)) return 1 - short.length / long.length;
  const allowed = Math.max(1, Math.floor(long.length / 3));
  return long.length - short.length > allowed ? Infinity : editDistance(word, name) / allowed;
}

/** Levenshtein's distance, a row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
