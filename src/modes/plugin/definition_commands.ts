/**
 * Definitions as SQL text, which the host shows before it runs it; nothing is executed here. These requests need no connection.
 */
import * as z from "zod/mini";
import type { Json } from "../../base/json.ts";
import type { Workbench } from "../../db/workbench.ts";
import type { Command, Commands } from "../../wire/dispatch.ts";
import type { Plugin } from "./plugin.ts";
import { type Call, name, optionalText, plain, schemaName, text } from "./requests.ts";
import { tableQuery } from "./table_query.ts";

const column = z.object({
  name,
  data_type: text,
  is_nullable: z._default(z.boolean(), true),
  is_pk: z._default(z.boolean(), false),
  is_auto_increment: z._default(z.boolean(), false),
  default_value: z.optional(z.nullable(z.string())),
});

/** A command that needs the engine's SQL alone. The host may tell the driver, or the launcher did. */
export function onEngine<Shape extends z.core.$ZodLooseShape>(
  plugin: Plugin,
  fields: Shape,
  { run }: { run: (fields: Call<Shape>["fields"], workbench: Workbench) => Json },
): Command {
  return plain(fields, async ({ fields, sent }) => {
    const named = z.object({ driver: z.optional(z.nullable(z.string())) }).safeParse(sent.params);
    return run(fields, await plugin.workbench(named.data?.driver ?? undefined));
  });
}

export function definitionCommands(plugin: Plugin): Commands {
  const table = { table: name, schema: schemaName };
  return {
    get_create_table_sql: onEngine(
      plugin,
      { table_name: name, columns: z.array(column), schema: schemaName },
      {
        run: ({ table_name, columns, schema }, { definitions }) =>
          definitions.createTable({ schema, table: table_name }, columns),
      },
    ),
    get_add_column_sql: onEngine(plugin, { ...table, column }, {
      run: ({ column, ...table }, { definitions }) => definitions.addColumn(table, column),
    }),
    get_alter_column_sql: onEngine(plugin, { ...table, old_column: column, new_column: column }, {
      run: ({ old_column: from, new_column: to, ...table }, { definitions }) =>
        definitions.alterColumn(table, { from, to }),
    }),
    get_create_index_sql: onEngine(plugin, {
      ...table,
      index_name: name,
      columns: z.array(name).check(z.minLength(1)),
      is_unique: z._default(z.boolean(), false),
    }, {
      run: ({ index_name, columns, is_unique, ...table }, { definitions }) =>
        definitions.createIndex(table, { name: index_name, columns, unique: is_unique }),
    }),
    get_create_foreign_key_sql: onEngine(plugin, {
      ...table,
      fk_name: name,
      column: name,
      ref_table: name,
      ref_column: name,
      on_delete: optionalText,
      on_update: optionalText,
    }, {
      run: (key, { definitions }) =>
        definitions.createForeignKey({
          schema: key.schema,
          table: key.table,
          name: key.fk_name,
          column: key.column,
          refTable: key.ref_table,
          refColumn: key.ref_column,
          onDelete: key.on_delete,
          onUpdate: key.on_update,
        }),
    }),
    get_table_query_template: onEngine(plugin, {
      request: z.object({
        ...table,
        kind: z.enum(["select", "update", "delete"]),
        columns: z._default(z.array(z.string()), []),
        limit: z.optional(z.nullable(z.int().check(z.nonnegative()))),
      }),
    }, { run: ({ request }, workbench) => tableQuery(request, workbench) }),
  };
}
