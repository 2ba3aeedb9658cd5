/** Tools made of functions, for tests of the agent that need tools to do something particular. */
import type { Toolbox } from "../../src/agent/toolbox.ts";
import { Fault } from "../../src/base/fault.ts";
import { toJson } from "../../src/base/json.ts";
import type { ToolOutput } from "../../src/tools/tool.ts";
import { shop } from "./shop.ts";
import { sqliteRows } from "./shop_query.ts";

export type ToolFunction = (
  args: unknown,
  options: { readonly signal: AbortSignal; readonly callId: string },
) => Promise<ToolOutput> | ToolOutput;

/** A toolbox of these tools; it knows no others. */
export function toolboxOf(tools: { readonly [name: string]: ToolFunction }): Toolbox {
  return {
    specs: () =>
      Object.keys(tools).map((name) => ({
        name,
        description: `The tool ${name}`,
        parameters: { type: "object", properties: {} },
      })),
    async call(name, args, options) {
      const tool = tools[name];
      if (!tool) {
        throw new Fault("bad_request", `Cannot call this tool: there are only ${Object.keys(tools)}.`);
      }
      return await tool(args, options);
    },
  };
}

/** list_tables and execute_sql on the shop's SQLite file. */
export async function shopToolbox(): Promise<Toolbox> {
  const path = await shop("sqlite");
  const answer = (sql: string) => ({ json: toJson({ results: sqliteRows(path, sql).map(cells) }) });
  return toolboxOf({
    list_tables: () => answer("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"),
    execute_sql: (args) => {
      const query = typeof args === "object" && args !== null && "query" in args ? args.query : undefined;
      if (typeof query !== "string") throw new Fault("bad_request", "Cannot call execute_sql: no query.");
      return answer(query);
    },
  });
}

function cells(row: readonly unknown[]): string[] {
  return row.map(String);
}
