/**
 * A program that drives the MCP client of the AI SDK, which is a client of its own making, against a server, and
 * prints what came as JSON, as drive_client.ts does for the official ones.
 */
import type { Drive } from "./drive_client.ts";

if (import.meta.main) {
  const drive: Drive = JSON.parse(Deno.args[0] ?? "");
  await ReadableStream.from([JSON.stringify(await run(drive))]).pipeThrough(new TextEncoderStream())
    .pipeTo(Deno.stdout.writable);
}

async function run({ client: url, transport: stdio, server, steps }: Omit<Drive, "era">): Promise<unknown> {
  const { createMCPClient } = await import(url);
  const { Experimental_StdioMCPTransport } = await import(stdio);
  const transport = typeof server === "string"
    ? { type: "http", url: server }
    : new Experimental_StdioMCPTransport({ command: server[0], args: server.slice(1) });
  const client = await createMCPClient({ transport });
  const { tools } = await client.listTools();
  const callable = await client.tools();
  const results: unknown[] = [];
  for (const { name, arguments: input, abortAfterMs } of steps) {
    const abortSignal = abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs);
    const begun = performance.now();
    const result = await callable[name].execute(input, { toolCallId: "1", messages: [], abortSignal })
      .catch((error: unknown) => ({ thrown: String(error) }));
    results.push({ ms: performance.now() - begun, result });
  }
  await client.close();
  return { server: client.serverInfo, tools, results };
}
