/**
 * The rows of information_schema as tables, columns, keys and indexes. It asks nothing.
 */
import type { ColumnDetail, ForeignKey, Index, Table } from "../driver.ts";
import type { Row } from "../values.ts";

/** One row of an answer. */
export class Answer {
  readonly #places: ReadonlyMap<string, number>;
  readonly #row: Row;

  /** `places`: where each column stands, by its name in upper case. */
  constructor(row: Row, places: ReadonlyMap<string, number>) {
    this.#row = row;
    this.#places = places;
  }

  /** "" for NULL, and for a column that the answer lacks. */
  text(name: string): string {
    const cell = this.#row[this.#places.get(name) ?? -1];
    return cell === null || cell === undefined ? "" : String(cell);
  }
}

/** Storage engines whose rows are somewhere else. */
const FOREIGN_ENGINES = ["FEDERATED", "CONNECT", "SPIDER"];

/** No name holds a NUL. */
export function keyOf({ schema, name }: { schema: string; name: string }): string {
  return `${schema}\0${name}`;
}

export function tableKey(row: Answer): string {
  return keyOf({ schema: row.text("TABLE_SCHEMA"), name: row.text("TABLE_NAME") });
}

export function columnKey(row: Answer): string {
  return `${tableKey(row)}\0${row.text("COLUMN_NAME")}`;
}

/** `opened`: what is known of the table besides, if it was opened. */
export function toTable(row: Answer, opened: Answer | undefined): Table {
  const kind = kindOf(row, opened?.text("CREATE_OPTIONS") ?? "");
  const rowEstimate = opened?.text("TABLE_ROWS") ?? "";
  const comment = kind === "view" ? "" : row.text("TABLE_COMMENT");
  return {
    schema: row.text("TABLE_SCHEMA"),
    name: row.text("TABLE_NAME"),
    kind,
    ...comment === "" ? {} : { comment },
    ...rowEstimate === "" ? {} : { rowEstimate: Number(rowEstimate) },
  };
}

function kindOf(row: Answer, options: string): Table["kind"] {
  if (/VIEW$/.test(row.text("TABLE_TYPE"))) return "view";
  if (FOREIGN_ENGINES.includes(row.text("ENGINE").toUpperCase())) return "foreign table";
  return /\bpartitioned\b/.test(options) ? "partitioned table" : "table";
}

export function mayBeJson(row: Answer): boolean {
  return row.text("COLUMN_TYPE") === "longtext" && row.text("COLLATION_NAME") === "utf8mb4_bin";
}

export function toColumn(row: Answer, documents: ReadonlySet<string>): ColumnDetail {
  const generated = generatedBy(row);
  const expression = row.text("DEFAULT_EXPRESSION");
  const comment = row.text("COLUMN_COMMENT");
  return {
    name: row.text("COLUMN_NAME"),
    type: mayBeJson(row) && documents.has(columnKey(row)) ? "json" : typeOf(row),
    nullable: row.text("IS_NULLABLE") === "YES",
    ...expression === "" || expression === "NULL" || generated !== undefined ? {} : { default: expression },
    ...generated === undefined ? {} : { generated },
    ...comment === "" ? {} : { comment },
  };
}

/** Without the display width, which nobody writes; `tinyint(1)` says that a boolean is meant. */
function typeOf(row: Answer): string {
  const type = row.text("COLUMN_TYPE");
  if (type === "tinyint(1)" || type.includes("zerofill")) return type;
  return type.replace(/^((?:tiny|small|medium|big)?int|year)\(\d+\)/, "$1");
}

function generatedBy(row: Answer): string | undefined {
  if (/auto_increment/i.test(row.text("EXTRA"))) return "identity";
  // MySQL escapes quotes in it
  const expression = row.text("GENERATION_EXPRESSION").replace(/\\'/g, "'");
  return expression === "" ? undefined : expression;
}

export function isPrimary(row: Answer): boolean {
  return row.text("INDEX_NAME") === "PRIMARY";
}

export function toIndexes(rows: readonly Answer[]): Index[] {
  const groups = Map.groupBy(rows, (row) => row.text("INDEX_NAME"));
  return Array.from(groups, ([name, parts]) => ({
    name,
    columns: parts.map(indexedPart),
    unique: parts.every((row) => row.text("NON_UNIQUE") === "0"),
    method: (parts[0]?.text("INDEX_TYPE") ?? "").toLowerCase(),
  }));
}

/** A column, the beginning of one, or an expression. */
function indexedPart(row: Answer): string {
  const column = row.text("COLUMN_NAME");
  const length = row.text("SUB_PART");
  const part = column === ""
    ? `(${row.text("EXPRESSION")})`
    : length === ""
    ? column
    : `${column}(${length})`;
  return row.text("COLLATION") === "D" ? `${part} DESC` : part;
}

export function toForeignKeys(rows: readonly Answer[]): ForeignKey[] {
  const groups = Map.groupBy(rows, (row) => row.text("CONSTRAINT_NAME"));
  return Array.from(groups.values(), (parts) => ({
    columns: parts.map((row) => row.text("COLUMN_NAME")),
    references: {
      schema: parts[0]?.text("REFERENCED_TABLE_SCHEMA") ?? "",
      table: parts[0]?.text("REFERENCED_TABLE_NAME") ?? "",
      columns: parts.map((row) => row.text("REFERENCED_COLUMN_NAME")),
    },
  }));
}
