/**
 * The command table of `saber plugin`. The host starts every driver with itself, used or not, so all commands but the first are
 * loaded when one of them is called.
 */
import type { Command, Commands } from "../../wire/dispatch.ts";
import type { Line } from "./connection_commands.ts";
import type { Plugin } from "./plugin.ts";

/** Every method besides `initialize`. */
const METHODS = `test_connection ping get_databases get_schemas get_connection_metadata cancel shutdown
  get_tables get_columns get_foreign_keys get_indexes get_views get_view_columns get_view_definition
  get_materialized_views get_materialized_view_columns get_materialized_view_definition refresh_materialized_view
  get_routines get_routine_parameters get_routine_definition get_routine_edit_script drop_routine
  build_routine_call_sql routine_create_template get_triggers get_trigger_definition create_trigger drop_trigger
  get_table_ddl get_schema_snapshot get_all_columns_batch get_all_foreign_keys_batch get_ai_schema_context
  execute_query execute_query_batch release_session explain_query
  insert_record update_record delete_record save_blob_to_file fetch_blob_as_data_url
  get_create_table_sql get_add_column_sql get_alter_column_sql get_create_index_sql get_create_foreign_key_sql
  get_table_query_template create_view alter_view drop_view drop_index drop_foreign_key
  get_db_privilege_catalog get_db_users get_db_user_grants get_db_user_privileges create_db_user drop_db_user
  set_db_user_password apply_db_user_privileges`.split(/\s+/);

export function commandsOf(plugin: Plugin, line: Line): Commands {
  let loading: Promise<Commands> | undefined;
  const load = () =>
    loading ??= import("./all_commands.ts").then(({ allCommands }) => allCommands(plugin, line));
  const later = (method: string): Command => ({
    lane: "concurrent",
    run: async (params, context) => await (await load())[method]?.run(params, context),
  });
  return {
    initialize: {
      lane: "concurrent",
      run: (params) => {
        const isObject = typeof params === "object" && params !== null;
        plugin.configure(isObject && "settings" in params ? params.settings : undefined);
        return Promise.resolve(null);
      },
    },
    ...Object.fromEntries(METHODS.map((method) => [method, later(method)])),
  };
}
