/**
 * introspect_schema: columns, keys and indexes of tables. The JSON text is written in the catalogue's order,
 * so that any name survives as a key.
 */
import * as z from "zod/mini";
import { BoundedText } from "../base/bounded_text.ts";
import { Fault } from "../base/fault.ts";
import { quote, toJson } from "../base/json.ts";
import type { ColumnDetail, ForeignKey, Index, TableDetail } from "../db/driver.ts";
import { cappedComment } from "./comment.ts";
import type { Tool } from "./tool.ts";

const args = z.strictObject({
  table_pattern: z.optional(
    z.string().check(z.describe("SQL LIKE pattern on table or schema.table, e.g. main.user% or %orders")),
  ),
});

export const introspectSchema: Tool<typeof args> = {
  name: "introspect_schema",
  title: "Describe tables",
  description:
    "Columns, primary and foreign keys and indexes of the tables that match a pattern, keyed by schema.table. " +
    "Use it before writing SQL; without a pattern it describes every table.",
  arguments: args,
  needsDatabase: true,
  output: {
    type: "object",
    properties: { db_name: { type: "string" }, tables: { type: "object" } },
    required: ["db_name", "tables"],
  },
  async run({ table_pattern: pattern }, context) {
    const database = await context.databases.get(context.database);
    const tables = await database.describe({
      signal: context.signal,
      ...(pattern === undefined ? {} : { pattern }),
    });
    return { json: describedTables(tables, context) };
  },
};

/** The answer that describes these tables of a database. Throws Fault `too_large` when it has more bytes. */
export function describedTables(
  tables: readonly TableDetail[],
  { database, maxBytes }: { readonly database: string; readonly maxBytes: number },
): string {
  const text = new BoundedText(maxBytes - 2);
  text.add(`{"db_name":${quote(database)},"tables":{`);
  for (const [index, table] of tables.entries()) {
    if (!text.add((index === 0 ? "" : ",") + tableJson(table))) {
      throw tooLarge({ maxBytes, fit: index, of: tables.length });
    }
  }
  return `${text}}}`;
}

function tooLarge({ maxBytes, fit, of }: { maxBytes: number; fit: number; of: number }): Fault {
  return new Fault(
    "too_large",
    `Cannot describe ${of} tables: only ${fit} of them fit into ${maxBytes} bytes. ` +
      "Name fewer with table_pattern.",
  );
}

function tableJson(table: TableDetail): string {
  const columns = table.columns.map((column) => `${quote(column.name)}:${columnJson(column)}`);
  const parts = toJson({
    primary_keys: table.primaryKey,
    foreign_keys: table.foreignKeys.map(foreignKeyText),
    indexes: table.indexes.map(indexText),
  });
  const comment = cappedComment(table.comment);
  const head = comment === undefined ? "" : `"comment":${quote(comment)},`;
  return `${quote(`${table.schema}.${table.name}`)}:{${head}"columns":{${columns.join(",")}},${
    parts.slice(1)
  }`;
}

function columnJson({ type, nullable, default: value, generated, comment }: ColumnDetail): string {
  return toJson({ type, nullable, default: value ?? null, generated, comment: cappedComment(comment) });
}

/** `column -> schema.table.column`; with several columns both sides are lists: `(a, b) -> schema.table.(c, d)`. */
function foreignKeyText({ columns, references }: ForeignKey): string {
  return `${sideText(columns)} -> ${references.schema}.${references.table}.${sideText(references.columns)}`;
}

function sideText(columns: readonly string[]): string {
  return columns.length === 1 ? columns.join() : `(${columns.join(", ")})`;
}

/** `name (a, b) UNIQUE [btree] WHERE condition`. */
function indexText({ name, columns, unique, method, where }: Index): string {
  return `${name} (${columns.join(", ")})` + (unique ? " UNIQUE" : "") +
    (method === undefined ? "" : ` [${method}]`) + (where === undefined ? "" : ` WHERE ${where}`);
}
