/**
 * The users of a server and what they may do.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { UserSql, Workbench } from "../../db/workbench.ts";
import type { Commands } from "../../wire/dispatch.ts";
import { orNull, text } from "./catalog.ts";
import { changeCommand } from "./change_command.ts";
import type { Connection } from "./connection.ts";
import { onEngine } from "./definition_commands.ts";
import type { Plugin } from "./plugin.ts";
import { connected, name, schemaName, text as textField } from "./requests.ts";

export function userCommands(plugin: Plugin): Commands {
  const user = { user: name, host: z._default(z.string(), "") };
  return {
    get_db_privilege_catalog: onEngine(plugin, {}, {
      run: (_, workbench) => {
        const { database, global, table } = usersOf(workbench).words;
        return { database, global, table };
      },
    }),
    get_db_users: connected(plugin, {}, {
      run: async ({ connection, signal }) => {
        const rows = await connection.ask(usersOf(connection.workbench).list(), signal);
        return rows.map(([user, host, locked]) => ({
          user: text(user),
          host: text(host),
          locked: locked === true || Number(locked) === 1,
        }));
      },
    }),
    get_db_user_grants: connected(plugin, user, {
      run: async ({ fields, connection, signal }) => {
        const rows = await connection.ask(usersOf(connection.workbench).grants(fields), signal);
        return rows.map((row) => text(row.at(-1)));
      },
    }),
    get_db_user_privileges: connected(plugin, user, {
      run: async ({ fields, connection, signal }) =>
        await readPrivileges(connection, { user: fields, signal }),
    }),
    create_db_user: changeCommand(plugin, { ...user, password: textField }, {
      statements: ({ password, ...user }, workbench) => usersOf(workbench).create(user, password),
    }),
    drop_db_user: changeCommand(plugin, user, {
      statements: (user, workbench) => usersOf(workbench).drop(user),
    }),
    set_db_user_password: changeCommand(plugin, { ...user, password: textField }, {
      statements: ({ password, ...user }, workbench) => usersOf(workbench).setPassword(user, password),
    }),
    apply_db_user_privileges: changeCommand(plugin, {
      ...user,
      database: schemaName,
      table: schemaName,
      privileges: z.array(z.string()).check(z.minLength(1)),
      grant: z.boolean(),
    }, {
      statements: ({ database, table, privileges, grant, ...user }, workbench) => {
        const users = usersOf(workbench);
        const known = users.words[table !== null ? "table" : database !== null ? "database" : "global"];
        const words = privileges.map((each) => each.trim().toUpperCase());
        const unknown = words.find((word) => !known.includes(word));
        if (unknown === undefined) return users.apply(user, { database, table, words, isGrant: grant });
        throw new Fault(
          "bad_request",
          `Cannot change the privileges: ${JSON.stringify(unknown)} is none there. Known are ${
            known.join(", ")
          }.`,
        );
      },
    }),
  };
}

/** Privileges on the same thing stand together. */
async function readPrivileges(
  connection: Connection,
  { user, signal }: { user: { user: string; host: string }; signal: AbortSignal },
): Promise<Json> {
  const rows = await connection.ask(usersOf(connection.workbench).privileges(user), signal);
  const places = Map.groupBy(rows, ([database, table]) => JSON.stringify([orNull(database), orNull(table)]));
  return [...places.values()].map((group) => {
    const [database = null, table = null] = group[0] ?? [];
    return { database: orNull(database), table: orNull(table), privileges: group.map((row) => text(row[2])) };
  });
}

function usersOf({ users }: Workbench): UserSql {
  if (users !== undefined) return users;
  throw new Fault("unavailable", "Cannot manage users: the engine has none.");
}
