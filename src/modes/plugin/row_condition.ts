/**
 * The condition that finds the host's row again: by its key, or by all that was shown of it.
 */
import { Fault } from "../../base/fault.ts";
import type { Workbench } from "../../db/workbench.ts";
import { readBlob } from "./blob.ts";
import type { TableColumn } from "./catalog.ts";
import { writtenValue } from "./written_value.ts";

export interface RowCondition {
  readonly sql: string;
  /** The key is in it, so at most one row fits. */
  readonly isKey: boolean;
}

/** Throws Fault `bad_request` for an empty key and for columns that the table has not. */
export async function rowCondition(
  key: Readonly<Record<string, unknown>>,
  columns: readonly TableColumn[],
  { workbench }: { workbench: Workbench },
): Promise<RowCondition> {
  const names = Object.keys(key).sort();
  if (names.length === 0) {
    throw new Fault(
      "bad_request",
      "Cannot find the row: no column of it is given. Send its key or all columns.",
    );
  }
  const parts: string[] = [];
  for (const name of names) {
    parts.push(await equality(key[name], findColumn(columns, name), { workbench }));
  }
  const primary = columns.filter((column) => column.is_pk);
  return {
    sql: parts.join(" AND "),
    isKey: primary.length > 0 && primary.every(({ name }) => names.includes(name)),
  };
}

/** Throws Fault `bad_request`. */
export function findColumn(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((each) => each.name === name) ??
    columns.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (column) return column;
  throw new Fault(
    "bad_request",
    `Cannot use the column ${JSON.stringify(name)}: the table has none of that name.`,
  );
}

async function equality(
  value: unknown,
  column: TableColumn,
  { workbench }: { workbench: Workbench },
): Promise<string> {
  const { values, quote } = workbench;
  const columnSql = quote(column.name);
  if (value === null || value === undefined) return `${columnSql} IS NULL`;
  const blob = typeof value === "string" && values.kind(column.data_type) === "binary"
    ? readBlob(value)
    : undefined;
  if (blob && blob.bytes.length < blob.size) {
    return values.startsWith(columnSql, { prefix: blob.bytes, length: blob.size });
  }
  const sql = await writtenValue(value, column, { values, maxBlobSize: 0, columnSql, isShown: true });
  return values.equals(columnSql, { value: sql, type: column.data_type });
}
