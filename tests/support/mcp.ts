/**
 * MCP servers for tests: in this process over in-memory streams, and what every client says first.
 */
import { serveHttp } from "../../src/modes/mcp/http/serve.ts";
import type { ServerParts } from "../../src/modes/mcp/server.ts";
import { serveStreams } from "../../src/modes/mcp/stdio.ts";
import { instructions } from "../../src/modes/mcp/instructions.ts";
import { WholeRows } from "../../src/modes/mcp/whole_rows.ts";
import { ToolService } from "../../src/tools/service.ts";
import type { DatabaseSet } from "../../src/tools/tool.ts";
import type { Sink } from "../../src/wire/writer.ts";
import { LinePeer } from "./line_peer.ts";

export interface LocalServer {
  readonly peer: LinePeer;
  /** What a signal does. */
  stop(): void;
  /** Settles when the server has let its client go. */
  readonly done: Promise<void>;
  readonly log: string[];
}

/** What a server is made of, with the program's limits. */
function partsOf(databases: DatabaseSet, log: string[]): ServerParts {
  const limits = { rows: 1000, bytes: 1_000_000 };
  return {
    version: "0.0.0",
    instructions: instructions(databases.list, limits),
    tools: new ToolService({
      databases,
      databaseArgument: "optional",
      caps: { unlimited: limits.rows, limited: limits.rows },
      maxBytes: limits.bytes,
      rows: new WholeRows({ rowLimit: limits.rows, maxBytes: limits.bytes }),
      serial: true,
    }),
    log: (message: string) => void log.push(message),
  };
}

/** A server in this process; `sink` takes its output from the peer. */
export function serveHere(databases: DatabaseSet, sink?: Sink): LocalServer {
  const stop = new AbortController();
  const log: string[] = [];
  const parts = partsOf(databases, log);
  const toServer = new TransformStream<Uint8Array, Uint8Array>();
  const fromServer = new TransformStream<Uint8Array, Uint8Array>();
  const output = fromServer.writable.getWriter();
  const toPeer = { write: (bytes: Uint8Array) => output.write(bytes.slice()).then(() => bytes.length) };
  const peer = new LinePeer(fromServer.readable, toServer.writable);
  const streams = { input: toServer.readable, output: sink ?? toPeer, stop: stop.signal };
  const done = serveStreams(parts, streams).finally(() => output.close());
  return { peer, done, log, stop: () => stop.abort() };
}

export interface LocalHttpServer extends AsyncDisposable {
  readonly port: number;
  /** What a signal does; settles when the server has ended. */
  stop(): Promise<void>;
  readonly log: string[];
}

/** A server in this process at a free port. */
export async function serveHttpHere(databases: DatabaseSet): Promise<LocalHttpServer> {
  const stop = new AbortController();
  const log: string[] = [];
  const listening = Promise.withResolvers<string>();
  const options = { port: 0, stop: stop.signal, listening: listening.resolve };
  const done = serveHttp(partsOf(databases, log), options);
  const port = Number(new URL(await listening.promise).port);
  const end = async () => {
    stop.abort();
    await done;
  };
  return { port, log, stop: end, [Symbol.asyncDispose]: end };
}

export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** How a client of the 2025 era begins. */
export function hello(protocolVersion: string = "2025-11-25"): unknown[] {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return [
    { jsonrpc: "2.0", id: "hello", method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ];
}

/** A request of the 2025 era. */
export function request(id: string | number, method: string, params?: unknown): unknown {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
}

/** A request of the revision 2026-07-28, which needs no beginning. */
export function modernRequest(id: string | number, method: string, params: object = {}): unknown {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return request(id, method, { ...params, _meta });
}

export function callOf(name: string, args: object): object {
  return { name, arguments: args };
}
