/**
 * The MCP server of one connection: what it offers, and how a tool's call becomes a result. The SDK speaks the
 * protocol, in the eras of both `initialize` and `server/discover`; how messages travel is the transport's.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  type Tool,
} from "@modelcontextprotocol/server";
import { toFault } from "../../base/fault.ts";
import type { Log } from "../../base/log.ts";
import type { ToolService, ToolSpec } from "../../tools/service.ts";
import { addCompletions } from "./completions.ts";
import { faultText } from "./fault_text.ts";
import { answer, type LatestAnswer } from "./message_json.ts";
import { page } from "./page.ts";
import { progressOf } from "./progress.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";

export interface ServerParts {
  readonly version: string;
  readonly instructions: string;
  readonly tools: ToolService;
  /** A tool's answer as its reader sees it; JSON when left out. Throws Fault `too_large`. */
  readonly present?: (json: string) => string;
  /** Told of answers that their tools gave in pieces, too. */
  readonly latest?: LatestAnswer;
  readonly log: Log;
}

const FIXED = { ttlMs: 300_000, cacheScope: "private" } as const;
/** The lists are the same for the life of the process; what is in a database changes. */
const CACHE_HINTS = {
  "server/discover": FIXED,
  "tools/list": FIXED,
  "prompts/list": FIXED,
  "resources/list": FIXED,
  "resources/templates/list": FIXED,
  "resources/read": { ttlMs: 60_000, cacheScope: "private" },
} satisfies ServerOptions["cacheHints"];

/** Cheap: the SDK makes one per connection, over HTTP one per request. */
export function createServer({ version, instructions, tools, present, latest, log }: ServerParts): Server {
  const server = new Server(
    { name: "saber", title: "saber", version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions,
      cacheHints: CACHE_HINTS,
    },
  );
  server.setRequestHandler("tools/list", ({ params }) => {
    const { items, ...next } = page(tools.specs(), params?.cursor);
    return { tools: items.map(toTool), ...next };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    if (!tools.has(params.name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool");
    try {
      const options = { signal: mcpReq.signal, ...progressOf(mcpReq) };
      const { json, pieces } = await tools.call(params.name, params.arguments, options);
      if (pieces) latest?.note(json, pieces);
      return answer(json, present?.(json));
    } catch (error) {
      const fault = toFault(error);
      if (fault.code === "internal") log(`The tool ${params.name} failed.`, { level: "error", error: fault });
      return { content: [{ type: "text", text: faultText(fault) }], isError: true };
    }
  });
  addResources(server, { tools, log });
  addPrompts(server, tools.databases);
  addCompletions(server, { tools, log });
  return server;
}

function toTool({ name, title, description, parameters, output }: ToolSpec): Tool {
  return {
    name,
    title,
    description,
    inputSchema: parameters,
    outputSchema: output,
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}
