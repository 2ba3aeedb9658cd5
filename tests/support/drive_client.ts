/**
 * A program that drives an official MCP client against a server, and prints what came as JSON.
 * It runs as a process of its own because the client's packages are found from where they lie, not from deno.json.
 * Its one argument is a Drive as JSON.
 */

export interface Drive {
  /** File URLs of the client's modules. */
  readonly client: string;
  readonly transport: string;
  readonly era: "legacy" | "auto" | "modern";
  /** Its command line, or the address where it listens. */
  readonly server: readonly string[] | string;
  readonly steps: readonly Step[];
}

/** A call of a tool that is aborted after a while, if so told. */
export interface Step {
  readonly name: string;
  readonly arguments: object;
  readonly abortAfterMs?: number;
}

if (import.meta.main) {
  const drive: Drive = JSON.parse(Deno.args[0] ?? "");
  await ReadableStream.from([JSON.stringify(await run(drive))]).pipeThrough(new TextEncoderStream())
    .pipeTo(Deno.stdout.writable);
}

async function run({ client: url, transport, era, server: at, steps }: Drive): Promise<unknown> {
  const { Client } = await import(url);
  const mode = era === "modern" ? { pin: "2026-07-28" } : era;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(await transportTo(at, transport));
  const server = client.getServerVersion();
  const { tools } = await client.listTools();
  const results: unknown[] = [];
  for (const { abortAfterMs, ...call } of steps) {
    const signal = abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs);
    const begun = performance.now();
    // The second argument but one is the result's schema in the predecessor's client, the options in the newer one.
    const answered = "setVersionNegotiation" in client
      ? client.callTool(call, { signal })
      : client.callTool(call, undefined, { signal });
    const result = await answered.catch((error: unknown) => ({ thrown: String(error) }));
    results.push({ ms: performance.now() - begun, result });
  }
  await client.close();
  return { server, tools, results };
}

async function transportTo(server: Drive["server"], module: string): Promise<unknown> {
  const { StdioClientTransport, StreamableHTTPClientTransport } = await import(module);
  if (typeof server === "string") return new StreamableHTTPClientTransport(new URL(server));
  const [command, ...args] = server;
  return new StdioClientTransport({ command, args, stderr: "inherit" });
}
