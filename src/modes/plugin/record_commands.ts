/**
 * Rows that people edit in the grid: insert, update, delete.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { WorkSession } from "../../db/workbench.ts";
import type { Commands } from "../../wire/dispatch.ts";
import { type TableColumn, toColumn } from "./catalog.ts";
import { type Connection, execute, readAll } from "./connection.ts";
import { withoutPlace } from "./error_text.ts";
import type { Plugin } from "./plugin.ts";
import { connected, count, name, record, schemaName } from "./requests.ts";
import { findColumn, type RowCondition, rowCondition } from "./row_condition.ts";
import { isDefault, writtenValue } from "./written_value.ts";

const MAX_BLOB_SIZE = 104_857_600;
const blobSize = z.pipe(z.optional(z.nullable(count)), z.transform((size) => size ?? MAX_BLOB_SIZE));

export function recordCommands(plugin: Plugin): Commands {
  const table = { table: name, schema: schemaName };
  return {
    insert_record: connected(plugin, { ...table, data: record, max_blob_size: blobSize }, {
      run: (call) =>
        onTable(call, async (session, columns) => {
          const { fields, connection, signal } = call;
          const { workbench } = connection;
          const data = Object.entries(fields.data)
            .map(([key, value]) => ({ column: writable(findColumn(columns, key)), value }))
            // an engine without a word for it uses the default of what is left out
            .filter(({ value }) => !isDefault(value) || workbench.values.defaultWord !== undefined);
          const values: string[] = [];
          for (const { column, value } of data) {
            const options = { values: workbench.values, maxBlobSize: fields.max_blob_size, columnSql: "" };
            values.push(await writtenValue(value, column, options));
          }
          const list = data.map(({ column }) => workbench.quote(column.name)).join(", ");
          const what = data.length === 0
            ? workbench.values.defaults
            : `(${list}) VALUES (${values.join(", ")})`;
          return await execute(session, { sql: `INSERT INTO ${workbench.qualify(fields)} ${what}`, signal });
        }),
    }),
    update_record: connected(plugin, {
      ...table,
      ...keyed,
      col_name: name,
      new_val: z.unknown(),
      max_blob_size: blobSize,
    }, {
      run: (call) =>
        onTable(call, async (session, columns) => {
          const { fields, connection, signal } = call;
          const { workbench } = connection;
          const column = writable(findColumn(columns, fields.col_name));
          const columnSql = workbench.quote(column.name);
          const options = { values: workbench.values, maxBlobSize: fields.max_blob_size, columnSql };
          const value = await writtenValue(fields.new_val, column, options);
          const row = await rowCondition(keyOf(fields), columns, { workbench });
          const sql = `UPDATE ${workbench.qualify(fields)} SET ${columnSql} = ${value} WHERE ${row.sql}`;
          return await changeRow(session, { sql, row, signal });
        }),
    }),
    delete_record: connected(plugin, { ...table, ...keyed }, {
      run: (call) =>
        onTable(call, async (session, columns) => {
          const { fields, connection, signal } = call;
          const { workbench } = connection;
          const row = await rowCondition(keyOf(fields), columns, { workbench });
          const sql = `DELETE FROM ${workbench.qualify(fields)} WHERE ${row.sql}`;
          return await changeRow(session, { sql, row, signal });
        }),
    }),
  };
}

/** Older hosts name one column and its value. */
export const keyed = {
  pk_map: z.optional(record),
  pk_col: z.optional(z.nullable(z.string())),
  pk_val: z.optional(z.unknown()),
};

export interface Keyed {
  readonly pk_map?: Readonly<Record<string, unknown>> | undefined;
  readonly pk_col?: string | null | undefined;
  readonly pk_val?: unknown;
}

export function keyOf({ pk_map, pk_col, pk_val }: Keyed): Readonly<Record<string, unknown>> {
  return pk_map ?? (pk_col ? { [pk_col]: pk_val } : {});
}

interface TableCall {
  readonly fields: { readonly table: string; readonly schema: string | null };
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

/** Does the work on a session, knowing the table's columns; the answer is a number of rows. */
async function onTable(
  { fields, connection, signal }: TableCall,
  work: (session: WorkSession, columns: readonly TableColumn[]) => Promise<number>,
): Promise<number> {
  connection.requireWritable();
  return await connection.use(signal, async (session) => {
    const scope = { schema: fields.schema, name: fields.table };
    return await work(session, await tableColumns(session, { connection, scope, signal }));
  }).catch((error) => {
    throw withoutPlace(error);
  });
}

/** Throws Fault `unknown_relation` for a table without columns. */
export async function tableColumns(
  session: WorkSession,
  { connection, scope, signal }: {
    connection: Connection;
    scope: { schema: string | null; name: string };
    signal: AbortSignal;
  },
): Promise<readonly TableColumn[]> {
  const rows = await readAll(session, { sql: connection.workbench.catalog.columns(scope), signal });
  if (rows.length > 0) return rows.map(toColumn);
  throw new Fault(
    "unknown_relation",
    `Cannot find the table ${JSON.stringify(scope.name)}. Refresh the list.`,
  );
}

function writable(column: TableColumn): TableColumn {
  if (!column.is_generated) return column;
  throw new Fault(
    "bad_request",
    `Cannot write the column ${
      JSON.stringify(column.name)
    }: the database computes it. Change what it is computed from.`,
  );
}

/** One row changes, or none: where no key says which, the statement is undone when more rows are alike. */
async function changeRow(
  session: WorkSession,
  { sql, row, signal }: { sql: string; row: RowCondition; signal: AbortSignal },
): Promise<number> {
  if (row.isKey) return await execute(session, { sql, signal });
  await execute(session, { sql: "BEGIN", signal });
  const affected = await execute(session, { sql, signal });
  if (affected <= 1) {
    await execute(session, { sql: "COMMIT", signal });
    return affected;
  }
  await execute(session, { sql: "ROLLBACK", signal });
  throw new Fault(
    "constraint",
    `Cannot change the row: ${affected} rows are alike, and the table has no key to tell them apart. Nothing was changed.`,
  );
}
