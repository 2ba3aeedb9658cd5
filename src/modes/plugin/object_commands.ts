/**
 * Making, changing and dropping views, indexes, keys, triggers and routines.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Workbench } from "../../db/workbench.ts";
import type { Command, Commands } from "../../wire/dispatch.ts";
import { changeCommand, known } from "./change_command.ts";
import type { Connection } from "./connection.ts";
import { onEngine } from "./definition_commands.ts";
import type { Plugin } from "./plugin.ts";
import { type Call, connected, name, optionalText, schemaName, text } from "./requests.ts";

type Statements<Shape extends z.core.$ZodLooseShape> = (
  fields: Call<Shape>["fields"],
  workbench: Workbench,
) => string[] | undefined;

export function objectCommands(plugin: Plugin): Commands {
  const change = <Shape extends z.core.$ZodLooseShape>(
    fields: Shape,
    statements: Statements<Shape>,
  ): Command => changeCommand(plugin, fields, { statements });
  const view = { view_name: name, schema: schemaName };
  const defined = { ...view, definition: text };
  const table = { table: name, schema: schemaName };
  return {
    create_view: change(
      defined,
      ({ schema, view_name, definition }, { definitions }) =>
        definitions.createView({ schema, table: view_name }, definition),
    ),
    alter_view: change(
      defined,
      ({ schema, view_name, definition }, { definitions }) =>
        definitions.replaceView({ schema, table: view_name }, definition),
    ),
    drop_view: change(
      view,
      ({ schema, view_name }, { definitions }) => definitions.dropView({ schema, table: view_name }),
    ),
    refresh_materialized_view: change(
      view,
      ({ schema, view_name }, { definitions }) =>
        definitions.refreshMaterializedView?.({ schema, table: view_name }),
    ),
    drop_index: change(
      { ...table, index_name: name },
      ({ index_name, ...table }, { definitions }) => definitions.dropIndex(table, index_name),
    ),
    drop_foreign_key: change(
      { ...table, fk_name: name },
      ({ fk_name, ...table }, { definitions }) => definitions.dropForeignKey(table, fk_name),
    ),
    drop_trigger: change(
      { trigger_name: name, table_name: name, schema: schemaName },
      ({ trigger_name, table_name, schema }, { definitions }) =>
        definitions.dropTrigger?.({ schema, table: table_name }, trigger_name),
    ),
    create_trigger: connected(plugin, { trigger_sql: name, schema: schemaName }, {
      run: async ({ fields, connection, signal }) => {
        const { schema, trigger_sql } = fields;
        await connection.change(connection.work.statements(trigger_sql), { schema, signal });
        return null;
      },
    }),
    ...routineCommands(plugin),
  };
}

function routineCommands(plugin: Plugin): Commands {
  const routine = { routine_name: name, routine_type: text, schema: schemaName };
  const argument = z.object({
    name: z._default(z.string(), ""),
    mode: z._default(z.string(), "IN"),
    value: optionalText,
    is_raw: z._default(z.boolean(), false),
  });
  return {
    drop_routine: connected(plugin, routine, {
      run: async ({ fields, connection, signal }) => {
        const { routine_name, routine_type, schema } = fields;
        const { definitions } = connection.workbench;
        const statements = definitions.dropRoutine?.({ schema, table: routine_name }, routine_type);
        await requireOne(connection, { schema, name: routine_name, kind: routine_type, signal });
        await connection.change(known(statements), { schema, signal });
        return null;
      },
    }),
    build_routine_call_sql: onEngine(plugin, { ...routine, args: z._default(z.array(argument), []) }, {
      run: ({ routine_name, routine_type, schema, args }, { routines }) =>
        known(routines).call({ schema, table: routine_name }, { kind: routine_type, args }),
    }),
    routine_create_template: onEngine(plugin, { routine_type: text, schema: schemaName }, {
      run: ({ routine_type, schema }, { routines }) => known(routines).template(routine_type, schema),
    }),
  };
}

/** Requests name routines without their arguments. Throws Fault `unavailable` when several have the name. */
async function requireOne(
  connection: Connection,
  { signal, ...routine }: { schema: string | null; name: string; kind: string; signal: AbortSignal },
): Promise<void> {
  const sql = connection.workbench.catalog.routineSignatures?.(routine);
  const signatures = sql === undefined ? [] : await connection.askTexts(sql, signal);
  if (signatures.length < 2) return;
  throw new Fault(
    "unavailable",
    `Cannot drop the routine: several have the name, ${
      signatures.join(", ")
    }. Run a DROP with the arguments of one.`,
  );
}
