/**
 * MCP clients over Streamable HTTP, until the program is told to stop. Every request stands for itself: nothing is
 * kept when it is over.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { settle } from "../../../base/settle.ts";
import { aborted, END_MS } from "../ending.ts";
import { createServer, type ServerParts } from "../server.ts";
import { type Incoming, LoopbackServer } from "./loopback_server.ts";
import { PATH } from "./refusal.ts";
import { Sessions } from "./sessions.ts";
import { spelled } from "./spelled.ts";

export interface HttpOptions {
  /** 0 takes one that is free. */
  readonly port: number;
  /** Aborted when the program is to stop. */
  readonly stop: AbortSignal;
  /** Told once clients can connect. */
  readonly listening: (url: string) => void;
}

/** Open streams of `subscriptions/listen`; nothing here ever changes, so that they only wait. */
const MAX_SUBSCRIPTIONS = 64;

/**
 * Settles when the program was told to stop and what still ran has been stopped. Throws Fault `unavailable` when it
 * can't listen, or not any longer.
 */
export async function serveHttp(
  parts: ServerParts,
  { port, stop, listening }: HttpOptions,
): Promise<void> {
  const handler = createMcpHandler(() => createServer(parts), {
    responseMode: "sse", // a stream that has begun tells at once when its reader goes
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    // The SDK's words may repeat what the client sent, which is nobody's business in a log.
    onerror: ({ name }) => parts.log(`An MCP request was not handled: ${name}`, { level: "warning" }),
  });
  const sessions = new Sessions();
  const exchange = async (incoming: Incoming) => {
    sessions.note(incoming);
    const response = await handler.fetch(incoming.request, { parsedBody: incoming.body });
    return await spelled(sessions.name(response, incoming));
  };
  const server = new LoopbackServer({ port, exchange, log: parts.log });
  listening(`http://127.0.0.1:${server.port}${PATH}`);
  try {
    await Promise.race([aborted(stop), server.over]);
  } finally {
    await server.close();
    await handler.close();
    await settle(parts.tools.whenIdle(), { ms: END_MS });
  }
}
