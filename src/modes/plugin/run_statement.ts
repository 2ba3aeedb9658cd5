/**
 * Runs one statement for the host: all of its rows or one page of them, within the bytes that an answer may have.
 */
import { Fault } from "../../base/fault.ts";
import { type Json, RawJson } from "../../base/json.ts";
import type { Column } from "../../db/driver.ts";
import type { Page } from "../../db/script.ts";
import type { Row } from "../../db/values.ts";
import type { WorkSession } from "../../db/workbench.ts";
import { rowWriter } from "./cells.ts";
import type { Connection } from "./connection.ts";

export interface RunOptions {
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Rows of a page; null for all rows. */
  readonly limit: number | null;
  /** From 1. */
  readonly page: number;
}

/** What the host calls a QueryResult. */
export interface QueryResult {
  readonly [key: string]: Json | undefined;
  readonly columns: readonly string[];
  readonly rows: RawJson;
  readonly affected_rows: number;
  readonly truncated: boolean;
  readonly pagination: Json;
  additional_results?: readonly QueryResult[];
}

/** Every statement of a text, in order; the first with rows is the result, later ones with rows go along. */
export async function runText(session: WorkSession, text: string, options: RunOptions): Promise<QueryResult> {
  const statements = options.connection.work.statements(text);
  if (statements.length === 0) {
    throw new Fault("syntax_error", "Cannot run the statement: there is none in the text. Write one.");
  }
  const results: QueryResult[] = [];
  for (const sql of statements) results.push(...await runStatement(session, sql, options));
  const [first, ...others] = results.filter((result) => result.columns.length > 0);
  const last = results.at(-1);
  const result = first ?? last;
  if (result === undefined) throw new Fault("internal", "Cannot run the statement: it has no result.");
  const affected = results.reduce((sum, each) => sum + (each.columns.length > 0 ? 0 : each.affected_rows), 0);
  if (first === undefined) return { ...result, affected_rows: affected };
  return others.length === 0 ? result : { ...result, additional_results: others };
}

/** A procedure may have several results. */
async function runStatement(
  session: WorkSession,
  sql: string,
  options: RunOptions,
): Promise<readonly QueryResult[]> {
  const { connection, signal, limit, page } = options;
  const paged: Page = limit === null ? { sql, kind: "rows" } : connection.work.page(sql, { limit, page });
  if (paged.kind === "once" && page > 1) {
    throw new Fault(
      "unavailable",
      "Cannot go to another page: the statement may change data, so it is not run again. Run it anew to see its rows.",
    );
  }
  const cursor = await session.run(paged.sql, signal);
  if (cursor.columns.length === 0) {
    for await (const _ of cursor.batches);
    return [{
      columns: [],
      rows: new RawJson("[]"),
      affected_rows: cursor.affected ?? 0,
      truncated: false,
      pagination: null,
    }];
  }
  const skip = paged.kind === "rows" && limit !== null ? (page - 1) * limit : 0;
  const take = limit === null || paged.kind === "once" ? Infinity : limit;
  const first = await readPage(cursor, { ...options, skip, take });
  const others = (cursor.further ?? []).map(async ({ columns, rows, isCut }) => {
    const result = await readPage({ columns, batches: [rows] }, { ...options, skip: 0, take: Infinity });
    return { ...result, truncated: result.truncated || isCut };
  });
  return [{ ...first, affected_rows: cursor.affected ?? 0 }, ...await Promise.all(others)];
}

interface Slice extends RunOptions {
  readonly skip: number;
  readonly take: number;
}

interface Source {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

async function readPage({ columns, batches }: Source, slice: Slice): Promise<QueryResult> {
  const { connection: { settings, workbench }, limit, page } = slice;
  const write = rowWriter(columns, {
    blobBytes: settings.maxCellBytes,
    bitIsNumber: workbench.values.bitIsNumber ?? false,
  });
  const text = new PageText(write, { ...slice, most: settings.maxResponseBytes });
  for await (const rows of batches) {
    if (!rows.every((row) => text.add(row))) break;
  }
  const { hasMore, texts } = text;
  return {
    columns: columns.map(({ name }) => name),
    rows: new RawJson(`[${texts.join(",")}]`),
    affected_rows: 0,
    truncated: hasMore,
    pagination: limit === null ? null : { page, page_size: limit, total_rows: null, has_more: hasMore },
  };
}

class PageText {
  readonly texts: string[] = [];
  hasMore = false;
  readonly #write: (row: Row) => string;
  readonly #slice: { readonly skip: number; readonly take: number; readonly most: number };
  #seen = 0;
  #size = 0;

  constructor(write: (row: Row) => string, slice: { skip: number; take: number; most: number }) {
    this.#write = write;
    this.#slice = slice;
  }

  /** False when no more rows are wanted. */
  add(row: Row): boolean {
    const { skip, take, most } = this.#slice;
    if (this.#seen++ < skip) return true;
    this.hasMore = this.texts.length >= take;
    if (this.hasMore) return false;
    const text = this.#write(row);
    this.#size += text.length;
    // one row is always shown, however large
    this.hasMore = this.#size > most && this.texts.length > 0;
    if (this.hasMore) return false;
    this.texts.push(text);
    return true;
  }
}
