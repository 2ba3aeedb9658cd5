/**
 * The rows of information_schema as tables, columns, keys and indexes. It asks nothing.
 */
import type { ColumnDetail, ForeignKey, Index, Table } from "../driver.ts";
import type { Cell } from "../values.ts";

/** One row of an answer by column names in upper case. */
export type Answer = ReadonlyMap<string, Cell>;

/** Storage engines whose rows are somewhere else. */
const FOREIGN_ENGINES = ["FEDERATED", "CONNECT", "SPIDER"];

export function textOf(row: Answer, name: string): string {
  const cell = row.get(name);
  return cell === null || cell === undefined ? "" : String(cell);
}

export function tableKey(row: Answer): string {
  return JSON.stringify([textOf(row, "TABLE_SCHEMA"), textOf(row, "TABLE_NAME")]);
}

export function columnKey(row: Answer): string {
  return tableKey(row) + textOf(row, "COLUMN_NAME");
}

export function toTable(row: Answer, rowEstimate: number | undefined): Table {
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

export function mayBeJson(row: Answer): boolean {
  return textOf(row, "COLUMN_TYPE") === "longtext" && textOf(row, "COLLATION_NAME") === "utf8mb4_bin";
}

export function toColumn(row: Answer, documents: ReadonlySet<string>): ColumnDetail {
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

export function isPrimary(row: Answer): boolean {
  return textOf(row, "INDEX_NAME") === "PRIMARY";
}

export function toIndexes(rows: readonly Answer[]): Index[] {
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

export function toForeignKeys(rows: readonly Answer[]): ForeignKey[] {
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
