/**
 * The conformance suite's example server: its tools, resources and prompts, on the HTTP code of saber itself (guard,
 * bodies, bounds, answers). The revisions up to 2025-11-25 get sessions, which saber does without, because a server
 * that asks its client something must find the call that waits for the answer.
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { LoopbackServer } from "../../../src/modes/mcp/http/loopback_server.ts";
import { spelled } from "../../../src/modes/mcp/http/spelled.ts";
import { ASKING_TOOLS } from "./asking.ts";
import { CONTENT_TOOLS } from "./content.ts";
import { INPUT_TOOLS, stateCodec } from "./input_required.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";

interface Changes {
  toolsChanged(): void;
  promptsChanged(): void;
}

/** Listens at a free port. */
export function startConformanceServer(): LoopbackServer {
  const modern = createMcpHandler(() => exampleServer({ modern: true, changes: modern.notify }), {
    legacy: "reject",
  });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return new LoopbackServer({
    port: 0,
    log: () => {},
    exchange: async ({ request, body }) => {
      const response = await isLegacyRequest(request, body)
        ? await inSession(sessions, { request, body })
        : await modern.fetch(request, { parsedBody: body });
      return await spelled(response);
    },
  });
}

async function inSession(
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  { request, body }: { request: Request; body: unknown },
): Promise<Response> {
  const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
  if (known) return await known.handleRequest(request, { parsedBody: body });
  if (!isInitializeRequest(body)) return new Response(null, { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await exampleServer({ modern: false }).connect(transport);
  return await transport.handleRequest(request, { parsedBody: body });
}

function exampleServer({ modern, changes }: { modern: boolean; changes?: Changes }): Server {
  const listChanged = { listChanged: modern };
  const server = new Server({ name: "example", version: "1" }, {
    capabilities: {
      tools: listChanged,
      prompts: listChanged,
      resources: modern ? {} : { subscribe: true },
      completions: {},
      logging: {},
    },
    cacheHints: Object.fromEntries(
      CACHED.map((method) => [method, { ttlMs: 1000, cacheScope: "private" as const }]),
    ),
    requestState: { verify: stateCodec.verify },
  });
  addTools(server, changes);
  addResources(server, { modern });
  addPrompts(server);
  return server;
}

const CACHED = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"];
const EMPTY = { type: "object", properties: {} } as const;
const string = (name: string) =>
  ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] }) as const;
const ARGUMENTS: { readonly [name: string]: ReturnType<typeof string> } = {
  test_sampling: string("prompt"),
  test_elicitation: string("message"),
};
const TRIGGERS: { readonly [name: string]: keyof Changes } = {
  test_trigger_tool_change: "toolsChanged",
  test_trigger_prompt_change: "promptsChanged",
};

function addTools(server: Server, changes: Changes | undefined): void {
  const names = [CONTENT_TOOLS, ASKING_TOOLS, INPUT_TOOLS, TRIGGERS].flatMap(Object.keys).sort();
  server.setRequestHandler("tools/list", () => ({
    tools: names.map((name) => ({
      name,
      description: "A tool of the conformance suite",
      inputSchema: ARGUMENTS[name] ?? EMPTY,
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name } = params;
    const trigger = TRIGGERS[name];
    if (trigger) {
      changes?.[trigger]();
      return { content: [{ type: "text", text: "changed" }] };
    }
    const asks = INPUT_TOOLS[name];
    if (asks) return await asks(context);
    const run = CONTENT_TOOLS[name] ?? ASKING_TOOLS[name];
    if (!run) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool");
    return await run(params.arguments ?? {}, context);
  });
}
