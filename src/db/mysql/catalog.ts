/**
 * What tables, views and columns there are, from information_schema: one question for each kind of thing, whatever the
 * number of tables. It shows what the user may see.
 */
import { Fault } from "../../base/fault.ts";
import type { CatalogRequest, Table, TableDetail } from "../driver.ts";
import {
  type Answer,
  columnKey,
  isPrimary,
  keyOf,
  mayBeJson,
  tableKey,
  toColumn,
  toForeignKeys,
  toIndexes,
  toTable,
} from "./catalog_rows.ts";
import {
  columnsSql,
  foreignKeysSql,
  harmlessRoutinesSql,
  indexesSql,
  jsonChecksSql,
  openedTablesSql,
  type Scope,
  tablesSql,
} from "./catalog_sql.ts";
import type { Call } from "./tree.ts";

export type Ask = (sql: string, signal: AbortSignal) => Promise<readonly Answer[]>;

/** With more tables, opening all of them (for row counts and partitions) would cost more time than it is worth. */
const OPENED_TABLES = 1000;

export class Catalog {
  readonly #ask: Ask;
  readonly #scope: Scope;

  constructor(ask: Ask, scope: Scope) {
    this.#ask = ask;
    this.#scope = scope;
  }

  async tables(request: CatalogRequest): Promise<readonly Table[]> {
    const { signal } = request;
    const scope = this.#scopeOf(request);
    const tables = await this.#ask(tablesSql(scope), signal);
    const opened = tables.length > OPENED_TABLES ? [] : await this.#ask(openedTablesSql(scope), signal);
    const details = new Map(opened.map((row) => [tableKey(row), row]));
    return tables.map((row) => toTable(row, details.get(tableKey(row))));
  }

  async describe(request: CatalogRequest): Promise<readonly TableDetail[]> {
    const { signal } = request;
    const scope = this.#scopeOf(request);
    const [tables, columns, indexes, foreignKeys] = await Promise.all([
      this.tables(request),
      this.#ask(columnsSql(scope), signal),
      this.#ask(indexesSql(scope), signal),
      this.#ask(foreignKeysSql(scope), signal),
    ]);
    const documents = await this.#jsonColumns(columns, { scope, signal });
    const parts = {
      columns: Map.groupBy(columns, tableKey),
      indexes: Map.groupBy(indexes, tableKey),
      foreignKeys: Map.groupBy(foreignKeys, tableKey),
    };
    return tables.map((table): TableDetail => {
      const key = keyOf(table);
      const indexRows = parts.indexes.get(key) ?? [];
      return {
        ...table,
        columns: (parts.columns.get(key) ?? []).map((row) => toColumn(row, documents)),
        primaryKey: indexRows.filter(isPrimary).map((row) => row.text("COLUMN_NAME")),
        foreignKeys: toForeignKeys(parts.foreignKeys.get(key) ?? []),
        indexes: toIndexes(indexRows.filter((row) => !isPrimary(row))),
      };
    });
  }

  /** Those of the calls that are functions of the database's own, declared to compute or read alone, with one result. */
  async harmless(calls: readonly Call[], signal: AbortSignal): Promise<readonly Call[]> {
    const routines = await this.#ask(harmlessRoutinesSql(calls), signal);
    const key = (schema: string, name: string) => `${schema}\n${name}`.toLowerCase();
    const known = new Set(
      routines.map((row) => key(row.text("CALLED_SCHEMA"), row.text("ROUTINE_NAME"))),
    );
    return calls.filter(({ schema = "", name }) => known.has(key(schema, name)));
  }

  #scopeOf({ pattern }: CatalogRequest): Scope {
    return { ...this.#scope, ...pattern === undefined ? {} : { pattern } };
  }

  /** The columns that were declared JSON, where the server only knows them by a check. */
  async #jsonColumns(
    columns: readonly Answer[],
    { scope, signal }: { scope: Scope; signal: AbortSignal },
  ): Promise<ReadonlySet<string>> {
    if (!columns.some(mayBeJson)) return new Set();
    try {
      const checks = await this.#ask(jsonChecksSql(scope), signal);
      return new Set(checks.map(columnKey));
    } catch (error) {
      // a server without such checks has a type for documents
      if (error instanceof Fault && /^unknown_(relation|column)$/.test(error.code)) return new Set();
      throw error;
    }
  }
}
