/**
 * The catalogue, object by object: tables, views, their columns, keys and indexes, routines and triggers.
 */
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Row } from "../../db/values.ts";
import type { Workbench } from "../../db/workbench.ts";
import type { Command, Commands } from "../../wire/dispatch.ts";
import {
  readColumns,
  toForeignKey,
  toIndex,
  toNamed,
  toRoutine,
  toRoutineParameter,
  toTrigger,
  toView,
} from "./catalog.ts";
import type { Plugin } from "./plugin.ts";
import { connected, name, optionalText, schemaName, text as textField } from "./requests.ts";

type ListQuestion = "tables" | "views" | "materializedViews" | "routines" | "triggers";
type PartQuestion = "foreignKeys" | "indexes" | "routineParameters";

export function catalogCommands(plugin: Plugin): Commands {
  /** All objects of a kind; none where the engine has no such kind. */
  const list = (question: ListQuestion, read: (row: Row) => Json): Command =>
    connected(plugin, { schema: schemaName }, {
      run: async ({ fields, connection, signal }) => {
        const sql = connection.workbench.catalog[question]?.(fields);
        return sql === undefined ? [] : (await connection.ask(sql, signal)).map(read);
      },
    });
  /** The parts of one object. */
  const parts = (question: PartQuestion, read: (row: Row, workbench: Workbench) => Json): Command =>
    connected(plugin, { schema: schemaName, object: name }, {
      run: async ({ fields, connection, signal }) => {
        const sql = connection.workbench.catalog[question]?.({ schema: fields.schema, name: fields.object });
        return sql === undefined
          ? []
          : (await connection.ask(sql, signal)).map((row) => read(row, connection.workbench));
      },
    });
  const columns = connected(plugin, { schema: schemaName, object: name }, {
    run: async ({ fields, connection, signal }) =>
      await readColumns({ connection, scope: { schema: fields.schema, name: fields.object }, signal }),
  });
  return {
    get_tables: list("tables", toNamed),
    get_columns: columns,
    get_foreign_keys: parts("foreignKeys", toForeignKey),
    get_indexes: parts("indexes", toIndex),
    get_views: list("views", toView),
    get_view_columns: columns,
    get_materialized_views: list("materializedViews", toView),
    get_materialized_view_columns: columns,
    get_routines: list("routines", toRoutine),
    get_routine_parameters: parts("routineParameters", toRoutineParameter),
    get_triggers: list("triggers", toTrigger),
    ...definitionCommands(plugin),
  };
}

/** The texts by which objects were made. */
function definitionCommands(plugin: Plugin): Commands {
  const view = (question: "viewDefinition" | "materializedViewDefinition") =>
    connected(plugin, { schema: schemaName, view_name: name }, {
      run: async ({ fields, connection, signal }) => {
        const sql = connection.workbench.catalog[question]?.({
          schema: fields.schema,
          name: fields.view_name,
        });
        return definition(await texts(sql, (known) => connection.askTexts(known, signal)), fields.view_name);
      },
    });
  const routine = connected(plugin, { schema: schemaName, routine_name: name, routine_type: textField }, {
    run: async ({ fields, connection, signal }) => {
      const { schema, routine_name, routine_type } = fields;
      const sql = connection.workbench.catalog.routineDefinition?.({
        schema,
        name: routine_name,
        kind: routine_type,
      });
      return definition(await texts(sql, (known) => connection.askTexts(known, signal)), routine_name);
    },
  });
  return {
    get_view_definition: view("viewDefinition"),
    get_materialized_view_definition: view("materializedViewDefinition"),
    get_routine_definition: routine,
    get_routine_edit_script: routine,
    get_trigger_definition: connected(plugin, {
      schema: schemaName,
      trigger_name: name,
      table_name: optionalText,
    }, {
      run: async ({ fields, connection, signal }) => {
        const { schema, trigger_name, table_name } = fields;
        const sql = connection.workbench.catalog.triggerDefinition?.({
          schema,
          name: trigger_name,
          table: table_name,
        });
        return definition(await texts(sql, (known) => connection.askTexts(known, signal)), trigger_name);
      },
    }),
    get_table_ddl: connected(plugin, { schema: schemaName, table: name }, {
      run: async ({ fields, connection, signal }) => {
        const sql = connection.workbench.catalog.tableDefinition({
          schema: fields.schema,
          name: fields.table,
        });
        return `${
          definition(await connection.askTexts(sql, signal), fields.table, { between: ";\n\n" }).replace(
            /[\s;]+$/,
            "",
          )
        };`;
      },
    }),
  };
}

async function texts(
  sql: string | undefined,
  run: (sql: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (sql === undefined) {
    throw new Fault("unavailable", "Cannot show the definition: the engine has no such objects.");
  }
  return await run(sql);
}

/** The texts of all that have the name. */
function definition(
  texts: readonly string[],
  object: string,
  { between = "\n\n" }: { between?: string } = {},
): string {
  if (texts.length > 0) return texts.map((each) => each.replace(/[\s;]+$/, "")).join(between);
  throw new Fault(
    "unknown_relation",
    `Cannot show the definition: there is no ${
      JSON.stringify(object)
    } that this user may see. Refresh the list.`,
  );
}
