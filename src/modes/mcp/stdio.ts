/**
 * One MCP client over a pair of byte streams, from its first line until it is gone or the program is told to stop.
 * It neither opens nor closes databases.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineWriter, type Sink } from "../../wire/writer.ts";
import { LineTransport } from "./line_transport.ts";
import { createServer, type ServerParts } from "./server.ts";

export interface Streams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: Sink;
  /** Aborted when the program is to stop. */
  readonly stop: AbortSignal;
}

/** How long requests that are under way may take when the input ends or the program is told to stop. */
const GRACE_MS = 500;
/** How long stopping statements and writing the last lines may take. */
const END_MS = 200;

/** Settles when the client is gone and what still ran has been stopped. */
export async function serveStreams(parts: ServerParts, { input, output, stop }: Streams): Promise<void> {
  const writer = new LineWriter(output);
  const transport = new LineTransport(input, writer);
  const handle = serveStdio(() => createServer(parts), {
    transport,
    // The SDK's words may repeat what the client sent, which is nobody's business in a log.
    onerror: ({ name }) => parts.log(`An MCP message was not handled: ${name}`, { level: "warning" }),
  });
  const stopped = aborted(stop);
  await Promise.race([transport.inputEnded, stopped, writer.broken]);
  await within(GRACE_MS, Promise.race([transport.allAnswered(), writer.broken]));
  await handle.close();
  await within(END_MS, Promise.all([parts.tools.whenIdle(), writer.drain()]));
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
