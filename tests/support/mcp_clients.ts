/**
 * Foreign MCP clients, driven alike: what they are asked to do, and what each must have got.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Drive, Step } from "./drive_client.ts";
import { SOON_MS } from "./patience.ts";
import { runPeer } from "./peer_program.ts";
import { peer } from "./peers.ts";
import { pythonPeer } from "./python_peers.ts";
import { saberCommand } from "./program.ts";
import { shop, type ShopKind } from "./shop.ts";

export const TOOLS = ["list_dbs", "list_tables", "introspect_schema", "execute_sql"];
export const COUNT = "SELECT count(*) AS orders FROM orders";
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/** The command line of saber on the shop, which speaks to stdin and stdout. */
export async function stdioServer(kind: ShopKind): Promise<string[]> {
  const path = await shop(kind);
  const target = kind === "csv" || kind === "parquet" ? join(path, `orders.${kind}`) : path;
  return [...saberCommand(), "mcp", "-d", target];
}

const driven = z.object({
  /** Null for a client that began without asking. */
  server: z.nullable(z.object({ name: z.string(), version: z.string() })),
  tools: z.array(z.object({ name: z.string() })),
  results: z.array(z.object({
    ms: z.number(),
    result: z.object({
      isError: z.optional(z.boolean()),
      content: z.optional(z.array(z.object({ type: z.string(), text: z.string() }))),
      structuredContent: z.optional(z.record(z.string(), z.unknown())),
      thrown: z.optional(z.string()),
    }),
  })),
});

export type Driven = z.infer<typeof driven>;

/** What an official client got from a server for STEPS. */
export async function drive(options: Omit<Drive, "steps">): Promise<Driven> {
  return await runDriver("drive_client.ts", { ...options, steps: STEPS });
}

/** The answer of a program of tests/support that drives a client; `options` are its argument. */
export async function runDriver(script: string, options: object): Promise<Driven> {
  const args = ["run", "-q", "-P=test", "--node-modules-dir=manual", `tests/support/${script}`];
  return driven.parse(
    JSON.parse(await runPeer({ command: "deno", args: [...args, JSON.stringify(options)] })),
  );
}

export const STEPS: readonly Step[] = [
  { name: "list_dbs", arguments: {} },
  { name: "list_tables", arguments: {} },
  { name: "introspect_schema", arguments: { table_pattern: "main.order%" } },
  { name: "execute_sql", arguments: { query: COUNT } },
  { name: "execute_sql", arguments: { query: "DELETE FROM orders" } },
  { name: "execute_sql", arguments: { query: ENDLESS }, abortAfterMs: 300 },
  { name: "execute_sql", arguments: { query: COUNT } },
];

/** Steps for a client that cannot abort a call. */
const PLAIN_STEPS = STEPS.filter(({ abortAfterMs }) => abortAfterMs === undefined);

/** What every client must have got; the official ones check answers against the output schemas themselves. */
export function check({ server, tools, results }: Driven): void {
  if (server) assert.equal(server.name, "saber");
  assert.deepEqual(tools.map(({ name }) => name), TOOLS);
  const answers = results.map(({ result: { content, structuredContent, isError, thrown } }) => {
    if (isError || thrown !== undefined) return {};
    const answer = z.record(z.string(), z.unknown()).parse(JSON.parse(content?.[0]?.text ?? ""));
    if (structuredContent) assert.deepEqual(structuredContent, answer);
    return answer;
  });
  const [dbs, tables, schema, count] = answers;
  assert.equal(dbs?.total_databases, 1);
  assert.ok(Number(tables?.total_tables) >= 4);
  assert.match(JSON.stringify(schema), /"main\.orders":/);
  assert.deepEqual(count?.results, [{ orders: 21000 }]);
  assert.deepEqual(answers.at(-1), count);
  const [refused, aborted] = results.slice(4).map(({ result }) => result);
  assert.ok(refused?.isError && refused.content?.[0]?.text.startsWith("[not_read_only] "));
  if (results.length === PLAIN_STEPS.length) return;
  assert.notEqual(aborted?.thrown, undefined);
  assert.ok((results.at(-1)?.ms ?? Infinity) < SOON_MS, "the next call does not wait for the aborted one");
}

/** What a Python client got; chuk-mcp knows one era and no aborting. */
export async function drivePython(
  client: "mcp" | "chuk",
  { era, server }: Pick<Drive, "era" | "server">,
): Promise<Driven> {
  const steps = client === "mcp" ? STEPS : PLAIN_STEPS;
  const args = ["tests/support/drive_client.py", JSON.stringify({ client, era, server, steps })];
  return driven.parse(JSON.parse(await runPeer({ command: await pythonPeer(), args })));
}

/** What the AI SDK's client got; over stdio it tells nobody when a call is aborted. */
export async function driveAiSdk(server: Drive["server"]): Promise<Driven> {
  const folder = await peer("@ai-sdk/mcp");
  const [client, transport] = ["dist/index.mjs", "dist/mcp-stdio/index.mjs"].map((path) =>
    new URL(path, folder).href
  );
  const steps = typeof server === "string" ? STEPS : PLAIN_STEPS;
  return await runDriver("drive_ai_sdk.ts", { client, transport, server, steps });
}

/** The modules of an official client: the older one has one for each transport. */
export async function officialClient(
  name: "@modelcontextprotocol/client" | "@modelcontextprotocol/sdk",
  transport: "stdio" | "http",
): Promise<{ client: string; transport: string }> {
  const folder = await peer(name);
  const [client, stdio, http] = name === "@modelcontextprotocol/client"
    ? ["dist/index.mjs", "dist/stdio.mjs", "dist/index.mjs"]
    : ["index.js", "stdio.js", "streamableHttp.js"].map((file) => `dist/esm/client/${file}`);
  const href = (path = "") => new URL(path, folder).href;
  return { client: href(client), transport: href(transport === "stdio" ? stdio : http) };
}

/** What the inspector prints; `server` are its arguments that name one. */
export async function inspect(args: readonly string[], server: readonly string[]): Promise<unknown> {
  const launcher = new URL("clients/launcher/build/index.js", await peer("@modelcontextprotocol/inspector"));
  const all = ["run", "-q", "-A", launcher.pathname, "--cli", ...args, "--format", "json", "-q", ...server];
  return JSON.parse(await runPeer({ command: "deno", args: all }));
}

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
const answered = z.object({ result: z.object({ structuredContent: z.record(z.string(), z.unknown()) }) });

/** The inspector finds no fault with the schemas, in its strict mode. */
export async function inspectSchemas(era: string, server: readonly string[]): Promise<void> {
  const args = ["--strict", "--protocol-era", era, "--method", "tools/list"];
  const { result } = listed.parse(await inspect(args, server));
  assert.deepEqual(result.tools.map(({ name }) => name), TOOLS);
}

/** The inspector gets the number of orders. */
export async function inspectQuery(era: string, server: readonly string[]): Promise<void> {
  const call = ["--method", "tools/call", "--tool-name", "execute_sql"];
  const query = JSON.stringify({ query: COUNT });
  const args = ["--protocol-era", era, ...call, "--tool-args-json", query];
  const { result } = answered.parse(await inspect(args, server));
  assert.deepEqual(result.structuredContent.results, [{ orders: 21000 }]);
}
