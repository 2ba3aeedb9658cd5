/**
 * Tables and their parts from PostgreSQL's catalog. What a server that only speaks PostgreSQL's protocol lacks is read
 * by plain_catalog.ts.
 */
import type { ColumnDetail, ForeignKey, Index, Table, TableDetail } from "../driver.ts";
import { COLUMNS, ENUM_LABELS, INDEXES, KEYS, RELATIONS } from "./catalog_queries.ts";
import type { Ask } from "./lease.ts";
import type { TextRow } from "./session.ts";
import { parseArray } from "./text_formats.ts";
import { shortTypeName } from "./type_names.ts";

/** An enum with more labels is cut, as a reader has seen enough. */
const MAX_LABELS = 100;

const KINDS: Readonly<Record<string, Table["kind"]>> = {
  r: "table",
  p: "partitioned table",
  v: "view",
  m: "materialized view",
  f: "foreign table",
};

/** The parameters are those of catalog_queries.ts. */
export async function readTables(ask: Ask, parameters: readonly string[]): Promise<Table[]> {
  return (await ask(RELATIONS, parameters)).map(toTable);
}

/** The same tables with all their parts. */
export async function readDetails(ask: Ask, parameters: readonly string[]): Promise<TableDetail[]> {
  const relations = await ask(RELATIONS, parameters);
  const labels = groupRows(await ask(ENUM_LABELS, parameters));
  const columns = groupRows(await ask(COLUMNS, parameters));
  const keys = groupRows(await ask(KEYS, parameters));
  const indexes = groupRows(await ask(INDEXES, parameters));
  return relations.map((row) => {
    const of = (groups: ReadonlyMap<string, readonly TextRow[]>) => groups.get(row[0] ?? "") ?? [];
    return {
      ...toTable(row),
      columns: of(columns).map((column) => toColumn(column, labels)),
      primaryKey: names(of(keys).find(([, kind]) => kind === "p")?.[2]),
      foreignKeys: of(keys).filter(([, kind]) => kind === "f").map(toForeignKey),
      indexes: of(indexes).map(toIndex),
    };
  });
}

/** Rows by their first value, in their order. */
function groupRows(rows: readonly TextRow[]): ReadonlyMap<string, readonly TextRow[]> {
  return Map.groupBy(rows, ([first]) => first ?? "");
}

function toTable([, schema, name, kind, comment, rows]: TextRow): Table {
  const estimate = Math.round(Number(rows));
  return {
    schema: schema ?? "",
    name: name ?? "",
    kind: KINDS[kind ?? ""] ?? "table",
    ...comment ? { comment } : {},
    ...estimate < 0 ? {} : { rowEstimate: estimate },
  };
}

function toColumn(row: TextRow, labels: ReadonlyMap<string, readonly TextRow[]>): ColumnDetail {
  const [, name, type, notNull, expression, identity, generated, comment, enumType] = row;
  const enumLabels = labels.get(enumType ?? "")?.map(([, label]) => label ?? "");
  const isGenerated = generated === "s" || generated === "v";
  return {
    name: name ?? "",
    type: enumLabels ? enumText(enumLabels, type?.endsWith("[]") ?? false) : shortTypeName(type ?? ""),
    nullable: notNull !== "t",
    ...expression && !isGenerated ? { default: expression } : {},
    ...isGenerated && expression ? { generated: expression } : identity ? { generated: "identity" } : {},
    ...comment ? { comment } : {},
  };
}

function enumText(labels: readonly string[], isArray: boolean): string {
  const quoted = labels.slice(0, MAX_LABELS).map((label) => `'${label.replaceAll("'", "''")}'`);
  const more = labels.length > MAX_LABELS ? ",…" : "";
  return `enum(${quoted.join(",")}${more})${isArray ? "[]" : ""}`;
}

function toForeignKey([, , columns, schema, table, others]: TextRow): ForeignKey {
  return {
    columns: names(columns),
    references: { schema: schema ?? "", table: table ?? "", columns: names(others) },
  };
}

function toIndex([, name, unique, method, where, columns]: TextRow): Index {
  return {
    name: name ?? "",
    columns: names(columns),
    unique: unique === "t",
    ...method ? { method } : {},
    ...where ? { where } : {},
  };
}

function names(array: string | null | undefined): string[] {
  const elements = parseArray(array ?? "{}", ",") ?? [];
  return elements.filter((element) => typeof element === "string");
}
