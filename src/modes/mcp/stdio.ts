/**
 * One MCP client over a pair of byte streams, from its first line until it is gone or the program is told to stop.
 * It neither opens nor closes databases.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { settle } from "../../base/settle.ts";
import { LineWriter, type Sink } from "../../wire/writer.ts";
import { aborted, END_MS, GRACE_MS } from "./ending.ts";
import { LineTransport } from "./line_transport.ts";
import { LatestAnswer } from "./message_json.ts";
import { createServer, type ServerParts } from "./server.ts";

export interface Streams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: Sink;
  /** Aborted when the program is to stop. */
  readonly stop: AbortSignal;
}

/** Settles when the client is gone and what still ran has been stopped. */
export async function serveStreams(parts: ServerParts, { input, output, stop }: Streams): Promise<void> {
  const writer = new LineWriter(output);
  const latest = new LatestAnswer();
  const transport = new LineTransport(input, { writer, latest });
  const handle = serveStdio(() => createServer({ ...parts, latest }), {
    transport,
    // The SDK's words may repeat what the client sent, which is nobody's business in a log.
    onerror: ({ name }) => parts.log(`An MCP message was not handled: ${name}`, { level: "warning" }),
  });
  const stopped = aborted(stop);
  await Promise.race([transport.inputEnded, stopped, writer.broken]);
  await settle(Promise.race([transport.allAnswered(), writer.broken]), { ms: GRACE_MS });
  await handle.close();
  await settle(Promise.all([parts.tools.whenIdle(), writer.drain()]), { ms: END_MS });
}
