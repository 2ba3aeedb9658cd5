/**
 * The MCP server of one connection: which tools it offers and how a call becomes a result. The SDK speaks the
 * protocol, in the eras of both `initialize` and `server/discover`; how messages travel is the transport's.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { toFault } from "../../base/fault.ts";
import type { Log } from "../../base/log.ts";
import type { CallOptions, ToolService, ToolSpec } from "../../tools/service.ts";
import { faultText } from "./fault_text.ts";
import { answer } from "./message_json.ts";

export interface ServerParts {
  readonly version: string;
  readonly instructions: string;
  readonly tools: ToolService;
  /** A tool's answer as its reader sees it; JSON when left out. Throws Fault `too_large`. */
  readonly present?: (json: string) => string;
  readonly log: Log;
}

/** Cheap: the SDK makes one per connection, over HTTP one per request. */
export function createServer({ version, instructions, tools, present, log }: ServerParts): Server {
  const server = new Server(
    { name: "saber", title: "saber", version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: tools.specs().map(toTool) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    if (!tools.has(params.name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool");
    try {
      const options = { signal: mcpReq.signal, ...progressOf(mcpReq) };
      const { json } = await tools.call(params.name, params.arguments, options);
      return answer(json, present?.(json));
    } catch (error) {
      const fault = toFault(error);
      if (fault.code === "internal") log(`The tool ${params.name} failed.`, { level: "error", error: fault });
      return { content: [{ type: "text", text: faultText(fault) }], isError: true };
    }
  });
  return server;
}

/** For a client that gave a token: notifications that keep it from giving the call up. */
function progressOf({ _meta, notify }: ServerContext["mcpReq"]): Pick<CallOptions, "progress"> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  let progress = 0;
  return {
    progress: (message) => {
      progress++;
      const params = { progressToken, progress, message };
      notify({ method: "notifications/progress", params }).catch(() => {}); // the client may be gone
    },
  };
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
