/**
 * Tables and their parts from the information schema, for servers that speak PostgreSQL's protocol and lack parts of its
 * catalog. It tells no indexes, comments or estimates, for which there is no standard.
 */
import type { ColumnDetail, ForeignKey, Table, TableDetail } from "../driver.ts";
import type { Ask } from "./lease.ts";
import type { TextRow } from "./session.ts";
import { shortTypeName } from "./type_names.ts";

/** The parameters are those of catalog_queries.ts. */
function isShown(alias: string): string {
  const [schema, table] = [`${alias}.table_schema`, `${alias}.table_name`];
  return `${schema} <> ALL ($1::text[]) AND
    (${schema} LIKE $2 AND ${table} LIKE $3 OR ${schema} || '.' || ${table} LIKE $4)`;
}

const TABLES = `SELECT t.table_schema, t.table_name, t.table_type FROM information_schema.tables t
WHERE ${isShown("t")} ORDER BY 1, 2`;

const COLUMNS = `SELECT c.table_schema, c.table_name, c.column_name, c.data_type, c.character_maximum_length,
  c.numeric_precision, c.numeric_scale, c.is_nullable, c.column_default
FROM information_schema.columns c WHERE ${isShown("c")} ORDER BY 1, 2, c.ordinal_position`;

const KEYS = `SELECT t.table_schema, t.table_name, t.constraint_type, t.constraint_name, k.column_name,
  o.table_schema, o.table_name, o.column_name
FROM information_schema.table_constraints t
JOIN information_schema.key_column_usage k ON k.constraint_schema = t.constraint_schema
  AND k.constraint_name = t.constraint_name AND k.table_schema = t.table_schema AND k.table_name = t.table_name
LEFT JOIN information_schema.referential_constraints r ON r.constraint_schema = t.constraint_schema
  AND r.constraint_name = t.constraint_name AND t.constraint_type = 'FOREIGN KEY'
LEFT JOIN information_schema.key_column_usage o ON o.constraint_schema = r.unique_constraint_schema
  AND o.constraint_name = r.unique_constraint_name AND o.ordinal_position = k.position_in_unique_constraint
WHERE t.constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND ${isShown("t")}
ORDER BY 1, 2, t.constraint_name, k.ordinal_position`;

const KINDS: Readonly<Record<string, Table["kind"]>> = { VIEW: "view", FOREIGN: "foreign table" };

export async function readPlainTables(ask: Ask, parameters: readonly string[]): Promise<Table[]> {
  return (await ask(TABLES, parameters)).map(toTable);
}

export async function readPlainDetails(ask: Ask, parameters: readonly string[]): Promise<TableDetail[]> {
  const tables = await ask(TABLES, parameters);
  const columns = Map.groupBy(await ask(COLUMNS, parameters), place);
  const keys = Map.groupBy(await ask(KEYS, parameters), place);
  return tables.map((row) => {
    const own = keys.get(place(row)) ?? [];
    const foreign = Map.groupBy(own.filter(([, , kind]) => kind === "FOREIGN KEY"), (key) => key[3] ?? "");
    return {
      ...toTable(row),
      columns: (columns.get(place(row)) ?? []).map(toColumn),
      primaryKey: own.filter(([, , kind]) => kind === "PRIMARY KEY").map((key) => key[4] ?? ""),
      foreignKeys: [...foreign.values()].map(toForeignKey),
      indexes: [],
    };
  });
}

/** The same for all rows of a table, and for no other's. */
function place([schema, table]: TextRow): string {
  return JSON.stringify([schema, table]);
}

function toTable([schema, name, type]: TextRow): Table {
  return { schema: schema ?? "", name: name ?? "", kind: KINDS[type ?? ""] ?? "table" };
}

function toColumn([, , name, type, length, precision, scale, nullable, expression]: TextRow): ColumnDetail {
  const size = length ?? (type === "numeric" && precision ? `${precision},${scale}` : undefined);
  return {
    name: name ?? "",
    type: shortTypeName(size ? `${type}(${size})` : type ?? ""),
    nullable: nullable !== "NO",
    ...expression ? { default: expression } : {},
  };
}

function toForeignKey(columns: readonly TextRow[]): ForeignKey {
  const [first] = columns;
  return {
    columns: columns.map((key) => key[4] ?? ""),
    references: {
      schema: first?.[5] ?? "",
      table: first?.[6] ?? "",
      columns: columns.map((key) => key[7] ?? ""),
    },
  };
}
