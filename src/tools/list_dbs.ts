/**
 * list_dbs: which databases were selected. It opens none of them.
 */
import * as z from "zod/mini";
import { toJson } from "../base/json.ts";
import type { Tool } from "./tool.ts";

const args = z.strictObject({});

export const listDbs: Tool<typeof args> = {
  name: "list_dbs",
  title: "List databases",
  description:
    "The databases that can be queried: the alias to pass as db_name, SQL dialect and description.",
  arguments: args,
  needsDatabase: false,
  choosesDatabase: true,
  output: {
    type: "object",
    properties: {
      databases: { type: "array", items: { type: "object" } },
      total_databases: { type: "integer" },
    },
    required: ["databases", "total_databases"],
  },
  run(_args, { databases }) {
    const list = databases.list.map(({ name, dialect, displayName, description }) => ({
      name,
      display_name: displayName,
      dialect,
      description,
    }));
    return Promise.resolve({ json: toJson({ databases: list, total_databases: list.length }) });
  },
};
