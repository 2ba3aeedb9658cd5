/**
 * A command that changes what is defined in a database.
 */
import type * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import type { Workbench } from "../../db/workbench.ts";
import type { Command } from "../../wire/dispatch.ts";
import type { Plugin } from "./plugin.ts";
import { type Call, connected, parse, schemaName } from "./requests.ts";

/** Runs statements of the engine in the request's schema, all or none; the host wants exactly null. */
export function changeCommand<Shape extends z.core.$ZodLooseShape>(
  plugin: Plugin,
  fields: Shape,
  { statements }: {
    /** Undefined where the engine has no such thing. */
    statements: (fields: Call<Shape>["fields"], workbench: Workbench) => string[] | undefined;
  },
): Command {
  return connected(plugin, fields, {
    run: async ({ fields, sent, connection, signal }): Promise<Json> => {
      const schema = parse(schemaName, sent.schema);
      await connection.change(known(statements(fields, connection.workbench)), { schema, signal });
      return null;
    },
  });
}

/** Throws Fault `unavailable` for what an engine lacks. */
export function known<Thing>(thing: Thing | undefined): Thing {
  if (thing !== undefined) return thing;
  throw new Fault("unavailable", "Cannot do that: the engine has no such objects.");
}
