/**
 * Resources: each database's list of tables, and by a template the description of each table, as the tools give them.
 * Listing them opens no database.
 */
import { type Resource, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import type { Log } from "../../base/log.ts";
import { findTable } from "../../tools/find_table.ts";
import { describedTables } from "../../tools/introspect_schema.ts";
import type { CallOptions, ToolService } from "../../tools/service.ts";
import type { DatabaseInfo } from "../../tools/tool.ts";
import { page } from "./page.ts";
import { progressOf } from "./progress.ts";
import { protocolError } from "./protocol_error.ts";
import { readResourceUri, resourceUri, SCHEMA_TEMPLATE } from "./resource_uri.ts";

const JSON_TYPE = "application/json";

export function addResources(server: Server, { tools, log }: { tools: ToolService; log: Log }): void {
  server.setRequestHandler("resources/list", ({ params }) => {
    const { items, ...next } = page(tools.databases, params?.cursor);
    return { resources: items.map(tablesResource), ...next };
  });
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    const { items, ...next } = page([SCHEMA], params?.cursor);
    return { resourceTemplates: [...items], ...next };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const options = { signal: mcpReq.signal, ...progressOf(mcpReq) };
    const text = await read(tools, { uri, options }).catch((error) => {
      throw protocolError(error, { what: "resources/read", log });
    });
    if (text === undefined) throw new ResourceNotFoundError(uri, "There is no such resource");
    return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
  });
}

const SCHEMA = {
  uriTemplate: SCHEMA_TEMPLATE,
  name: "schema",
  title: "Description of a table",
  description:
    "Columns, keys and indexes of one table or view; table is schema.table as list_tables gives it.",
  mimeType: JSON_TYPE,
};

function tablesResource({ name, displayName }: DatabaseInfo): Resource {
  return {
    uri: resourceUri({ database: name }),
    name: `${name} tables`,
    title: `Tables of ${name}`,
    description: `All tables and views of the ${displayName} database ${name}.`,
    mimeType: JSON_TYPE,
  };
}

/** Undefined for a resource that does not exist. */
async function read(
  tools: ToolService,
  { uri, options }: { readonly uri: string; readonly options: CallOptions },
): Promise<string | undefined> {
  const { database, table } = readResourceUri(uri) ?? {};
  if (database === undefined || !tools.databases.some(({ name }) => name === database)) return undefined;
  if (table === undefined) return (await tools.call("list_tables", { db_name: database }, options)).json;
  return await tools.onDatabase(database, async (opened, { signal, maxBytes }) => {
    const tables = await opened.tables({ signal });
    const known = tables.find(({ schema, name }) => `${schema}.${name}` === table);
    const found = known && await findTable(opened, { schema: known.schema, name: known.name, signal });
    return found && describedTables([found], { database, maxBytes });
  }, options);
}
