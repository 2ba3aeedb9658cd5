/**
 * Calls of execute_sql over HTTP, in both eras of the protocol, from clients that may go before they are answered.
 */
import assert from "node:assert/strict";
import { type Message, messageSchema } from "./line_peer.ts";
import { callOf, modernRequest, request } from "./mcp.ts";
import { bytesOf, goodHeaders, write } from "./raw_http.ts";

export type Era = "legacy" | "modern";

export interface HttpCall {
  readonly body: string;
  readonly headers: Record<string, string>;
}

export function httpCall(era: Era, query: string): HttpCall {
  const params = callOf("execute_sql", { query });
  if (era === "legacy") return { body: JSON.stringify(request(1, "tools/call", params)), headers: {} };
  const headers = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "execute_sql",
  };
  return { body: JSON.stringify(modernRequest(1, "tools/call", params)), headers };
}

/** The one message of the answer, read as the event stream it is. */
export async function ask(port: number, { body, headers }: HttpCall): Promise<Message> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { ...goodHeaders(port), ...headers },
    body,
  });
  const text = await response.text();
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  assert.equal(data.length, 1, text);
  return messageSchema.parse(JSON.parse(data[0]?.slice("data: ".length) ?? ""));
}

/** Starts a statement, from a client that can go: it is under way when this settles. */
export async function startCall(port: number, { body, headers }: HttpCall): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  // padded beyond one read of the server: Deno 2.9 tells of clients that go in two ways
  await write(connection, bytesOf(port, { body: body + " ".repeat(2000), headers }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  return connection;
}
