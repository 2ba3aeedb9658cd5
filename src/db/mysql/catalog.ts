/**
 * What tables, views and columns there are, from information_schema: one question for each kind of thing, whatever the
 * number of tables. It shows what the user may see.
 */
import { Fault } from "../../base/fault.ts";
import type { CatalogRequest, ColumnDetail, ForeignKey, Index, Table, TableDetail } from "../driver.ts";
import type { Cell } from "../values.ts";
import {
  columnsSql,
  estimatesSql,
  foreignKeysSql,
  indexesSql,
  jsonChecksSql,
  type Scope,
  tablesSql,
} from "./catalog_sql.ts";

/** One row of an answer by column names in upper case. */
export type Answer = ReadonlyMap<string, Cell>;

export type Ask = (sql: string, signal: AbortSignal) => Promise<readonly Answer[]>;

/** With more tables, their row counts would cost more time than they are worth. */
const COUNTED_TABLES = 1000;

/** Storage engines whose rows are somewhere else. */
const FOREIGN_ENGINES = ["FEDERATED", "CONNECT", "SPIDER"];

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
    const estimates = tables.length > COUNTED_TABLES ? [] : await this.#ask(estimatesSql(scope), signal);
    const counts = new Map(estimates.map((row) => [tableKey(row), Number(row.get("TABLE_ROWS"))]));
    return tables.map((row) => toTable(row, counts.get(tableKey(row))));
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
      const key = JSON.stringify([table.schema, table.name]);
      const indexRows = parts.indexes.get(key) ?? [];
      return {
        ...table,
        columns: (parts.columns.get(key) ?? []).map((row) => toColumn(row, documents)),
        primaryKey: indexRows.filter(isPrimary).map((row) => textOf(row, "COLUMN_NAME")),
        foreignKeys: toForeignKeys(parts.foreignKeys.get(key) ?? []),
        indexes: toIndexes(indexRows.filter((row) => !isPrimary(row))),
      };
    });
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

function textOf(row: Answer, name: string): string {
  const cell = row.get(name);
  return cell === null || cell === undefined ? "" : String(cell);
}

function tableKey(row: Answer): string {
  return JSON.stringify([textOf(row, "TABLE_SCHEMA"), textOf(row, "TABLE_NAME")]);
}

function columnKey(row: Answer): string {
  return tableKey(row) + textOf(row, "COLUMN_NAME");
}

function toTable(row: Answer, rowEstimate: number | undefined): Table {
  const kind = kindOf(row);
  const comment = kind === "view" ? "" : textOf(row, "TABLE_COMMENT");
  return {
    schema: textOf(row, "TABLE_SCHEMA"),
    name: textOf(row, "TABLE_NAME"),
    kind,
    ...comment === "" ? {} : { comment },
    ...rowEstimate === undefined ? {} : { rowEstimate },
  };
}

function kindOf(row: Answer): Table["kind"] {
  if (/VIEW$/.test(textOf(row, "TABLE_TYPE"))) return "view";
  if (FOREIGN_ENGINES.includes(textOf(row, "ENGINE").toUpperCase())) return "foreign table";
  return /\bpartitioned\b/.test(textOf(row, "CREATE_OPTIONS")) ? "partitioned table" : "table";
}

function mayBeJson(row: Answer): boolean {
  return textOf(row, "COLUMN_TYPE") === "longtext" && textOf(row, "COLLATION_NAME") === "utf8mb4_bin";
}

function toColumn(row: Answer, documents: ReadonlySet<string>): ColumnDetail {
  const generated = generatedBy(row);
  const expression = textOf(row, "DEFAULT_EXPRESSION");
  const comment = textOf(row, "COLUMN_COMMENT");
  return {
    name: textOf(row, "COLUMN_NAME"),
    type: mayBeJson(row) && documents.has(columnKey(row)) ? "json" : typeOf(row),
    nullable: textOf(row, "IS_NULLABLE") === "YES",
    ...expression === "" || expression === "NULL" || generated !== undefined ? {} : { default: expression },
    ...generated === undefined ? {} : { generated },
    ...comment === "" ? {} : { comment },
  };
}

/** Without the display width, which nobody writes; `tinyint(1)` says that a boolean is meant. */
function typeOf(row: Answer): string {
  const type = textOf(row, "COLUMN_TYPE");
  if (type === "tinyint(1)" || type.includes("zerofill")) return type;
  return type.replace(/^((?:tiny|small|medium|big)?int|year)\(\d+\)/, "$1");
}

function generatedBy(row: Answer): string | undefined {
  if (/auto_increment/i.test(textOf(row, "EXTRA"))) return "identity";
  // MySQL escapes quotes in it
  const expression = textOf(row, "GENERATION_EXPRESSION").replace(/\\'/g, "'");
  return expression === "" ? undefined : expression;
}

function isPrimary(row: Answer): boolean {
  return textOf(row, "INDEX_NAME") === "PRIMARY";
}

function toIndexes(rows: readonly Answer[]): Index[] {
  const groups = Map.groupBy(rows, (row) => textOf(row, "INDEX_NAME"));
  return Array.from(groups, ([name, parts]) => ({
    name,
    columns: parts.map(indexedPart),
    unique: parts.every((row) => Number(row.get("NON_UNIQUE")) === 0),
    method: textOf(parts[0] ?? new Map(), "INDEX_TYPE").toLowerCase(),
  }));
}

/** A column, the beginning of one, or an expression. */
function indexedPart(row: Answer): string {
  const column = textOf(row, "COLUMN_NAME");
  const length = textOf(row, "SUB_PART");
  const part = column === ""
    ? `(${textOf(row, "EXPRESSION")})`
    : length === ""
    ? column
    : `${column}(${length})`;
  return textOf(row, "COLLATION") === "D" ? `${part} DESC` : part;
}

function toForeignKeys(rows: readonly Answer[]): ForeignKey[] {
  const groups = Map.groupBy(rows, (row) => textOf(row, "CONSTRAINT_NAME"));
  return Array.from(groups.values(), (parts) => ({
    columns: parts.map((row) => textOf(row, "COLUMN_NAME")),
    references: {
      schema: textOf(parts[0] ?? new Map(), "REFERENCED_TABLE_SCHEMA"),
      table: textOf(parts[0] ?? new Map(), "REFERENCED_TABLE_NAME"),
      columns: parts.map((row) => textOf(row, "REFERENCED_COLUMN_NAME")),
    },
  }));
}
