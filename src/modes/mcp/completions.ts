/**
 * Completions of the arguments `db` and `table`, for prompts and for the resources' template.
 */
import {
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import type { Log } from "../../base/log.ts";
import type { CallOptions, ToolService } from "../../tools/service.ts";
import { progressOf } from "./progress.ts";
import { hasArgument } from "./prompts.ts";
import { protocolError } from "./protocol_error.ts";
import { SCHEMA_TEMPLATE } from "./resource_uri.ts";

/** The protocol's limit on one answer. */
const MAX_VALUES = 100;

export function addCompletions(server: Server, { tools, log }: { tools: ToolService; log: Log }): void {
  server.setRequestHandler("completion/complete", async ({ params }, { mcpReq }) => {
    const { ref, argument: { name, value }, context } = params;
    const isKnown = ref.type === "ref/prompt"
      ? hasArgument(ref.name, name)
      : ref.uri === SCHEMA_TEMPLATE && ["db", "table"].includes(name);
    if (!isKnown) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such argument to complete");
    }
    if (name === "db") return beginningWith(value, tools.databases.map((database) => database.name));
    if (name !== "table") return beginningWith(value, []);
    const options = { signal: mcpReq.signal, ...progressOf(mcpReq) };
    const names = await tableNames(tools, { alias: context?.arguments?.db, options }).catch((error) => {
      throw protocolError(error, { what: "completion/complete", log });
    });
    return beginningWith(value, names);
  });
}

/** None when it is not known whose tables are meant. */
async function tableNames(
  tools: ToolService,
  { alias, options }: { readonly alias: string | undefined; readonly options: CallOptions },
): Promise<string[]> {
  const { databases } = tools;
  const chosen = databases.length === 1 ? databases[0] : databases.find(({ name }) => name === alias);
  if (!chosen) return [];
  return await tools.onDatabase(chosen.name, async (database, { signal }) => {
    const tables = await database.tables({ signal });
    return tables.map(({ schema, name }) => `${schema}.${name}`);
  }, options);
}

/** Names that begin with the text come first, then those that have it in them; the case does not count. */
function beginningWith(text: string, names: readonly string[]): CompleteResult {
  const wanted = text.toLowerCase();
  const at = (name: string) => Math.sign(name.toLowerCase().indexOf(wanted));
  const fitting = names.filter((name) => at(name) >= 0).toSorted((one, other) => at(one) - at(other));
  return {
    completion: {
      values: fitting.slice(0, MAX_VALUES),
      total: fitting.length,
      hasMore: fitting.length > MAX_VALUES,
    },
  };
}
