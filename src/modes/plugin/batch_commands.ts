/**
 * The catalogue of many tables at once, with one question for each kind of part.
 */
import * as z from "zod/mini";
import type { Json } from "../../base/json.ts";
import type { Row } from "../../db/values.ts";
import type { Scope } from "../../db/workbench.ts";
import type { Commands } from "../../wire/dispatch.ts";
import { byTable, text, toForeignKey, toShownColumn } from "./catalog.ts";
import type { Connection } from "./connection.ts";
import type { Plugin } from "./plugin.ts";
import { connected, count, schemaName } from "./requests.ts";

interface Schema {
  readonly names: readonly string[];
  readonly columns: readonly Row[];
  readonly foreignKeys: readonly Row[];
}

export function batchCommands(plugin: Plugin): Commands {
  const some = z.pipe(z.optional(z.nullable(z.array(z.string()))), z.transform((names) => names ?? null));
  const fields = { schema: schemaName, tables: some };
  return {
    get_schema_snapshot: connected(plugin, fields, {
      run: async ({ connection, signal, ...call }) =>
        schemas(await readSchema(connection, { scope: call.fields, only: call.fields.tables, signal })),
    }),
    get_all_columns_batch: connected(plugin, fields, {
      run: async ({ connection, signal, ...call }) => {
        const { names, columns } = await readSchema(connection, {
          scope: call.fields,
          only: call.fields.tables,
          signal,
        });
        return Object.fromEntries(byTable(columns, { names, read: toShownColumn }));
      },
    }),
    get_all_foreign_keys_batch: connected(plugin, fields, {
      run: async ({ connection, signal, ...call }) => {
        const { names, foreignKeys } = await readSchema(connection, {
          scope: call.fields,
          only: call.fields.tables,
          signal,
        });
        return Object.fromEntries(byTable(foreignKeys, { names, read: toForeignKey }));
      },
    }),
    get_ai_schema_context: connected(plugin, { schema: schemaName, max_tables: count }, {
      run: async ({ connection, signal, ...call }) => {
        const schema = await readSchema(connection, { scope: call.fields, only: null, signal });
        const names = mostReferenced(schema).slice(0, call.fields.max_tables);
        return { tables: schemas({ ...schema, names }), total_table_count: schema.names.length };
      },
    }),
  };
}

async function readSchema(
  connection: Connection,
  { scope, only, signal }: { scope: Scope; only: readonly string[] | null; signal: AbortSignal },
): Promise<Schema> {
  const { catalog } = connection.workbench;
  const whole = { schema: scope.schema };
  return await connection.use(signal, async (session) => {
    const ask = async (sql: string) => {
      const { batches } = await session.run(sql, signal);
      return (await Array.fromAsync(batches)).flat();
    };
    const tables = (await ask(catalog.tables(whole))).map(([name]) => text(name));
    return {
      names: only === null ? tables : tables.filter((name) => only.includes(name)),
      columns: await ask(catalog.columns(whole)),
      foreignKeys: await ask(catalog.foreignKeys(whole)),
    };
  });
}

function schemas({ names, columns, foreignKeys }: Schema): Json {
  const [ofColumns, ofKeys] = [
    byTable(columns, { names, read: toShownColumn }),
    byTable(foreignKeys, { names, read: toForeignKey }),
  ];
  return names.map((name) => ({
    name,
    columns: ofColumns.get(name) ?? [],
    foreign_keys: ofKeys.get(name) ?? [],
  }));
}

/** Those that others refer to most come first, then by name. */
function mostReferenced({ names, foreignKeys }: Schema): readonly string[] {
  const uses = Map.groupBy(foreignKeys, ([, , , table]) => text(table));
  const weight = (name: string) => uses.get(name)?.length ?? 0;
  return names.toSorted((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1));
}
