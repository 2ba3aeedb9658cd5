/**
 * list_tables: the tables and views of one database. A list that would pass the byte bound ends early and says so.
 */
import * as z from "zod/mini";
import type { Table } from "../db/driver.ts";
import { BoundedText } from "../base/bounded_text.ts";
import { quote, toJson } from "../base/json.ts";
import { cappedComment } from "./comment.ts";
import type { Tool } from "./tool.ts";

const args = z.strictObject({});
/** Room for what follows the last table. */
const TAIL_BYTES = 300;

export const listTables: Tool<typeof args> = {
  name: "list_tables",
  title: "List tables",
  description: "All tables and views of a database with their schema, kind and comment.",
  arguments: args,
  needsDatabase: true,
  output: {
    type: "object",
    properties: {
      db_name: { type: "string" },
      tables: { type: "array", items: { type: "object" } },
      total_tables: { type: "integer" },
      truncated: { type: "boolean" },
      hint: { type: "string" },
    },
    required: ["db_name", "tables", "total_tables", "truncated"],
  },
  async run(_args, context) {
    const database = await context.databases.get(context.database);
    const tables = await database.tables({ signal: context.signal });
    const text = new BoundedText(context.maxBytes - TAIL_BYTES);
    text.add(`{"db_name":${quote(context.database)},"tables":[`);
    const listed = tables.findIndex((table, index) => !text.add((index === 0 ? "" : ",") + tableJson(table)));
    return { json: text + tail(tables.length, listed < 0 ? tables.length : listed) };
  },
};

function tail(total: number, listed: number): string {
  const truncated = listed < total;
  const hint = `Only the first ${listed} of ${total} tables fit. ` +
    "Find the others with introspect_schema and a table_pattern such as 'public.order%'.";
  const end = toJson({ total_tables: total, truncated, hint: truncated ? hint : undefined });
  return `],${end.slice(1)}`;
}

function tableJson({ schema, name, kind, comment }: Table): string {
  return toJson({
    table_schema: schema,
    table_name: name,
    table_type: kind,
    table_comment: cappedComment(comment) ?? null,
    full_name: `${schema}.${name}`,
    name,
    schema,
    type: kind,
    kind,
  });
}
