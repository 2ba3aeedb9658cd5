import assert from "node:assert/strict";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Drive, Step } from "../../support/drive_client.ts";
import { peer } from "../../support/peers.ts";
import { saberCommand } from "../../support/program.ts";
import { shop, type ShopKind } from "../../support/shop.ts";
import { repository } from "../../support/sources.ts";

const TOOLS = ["list_dbs", "list_tables", "introspect_schema", "execute_sql"];
const COUNT = "SELECT count(*) AS orders FROM orders";
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/** saber on the shop. */
async function server(kind: ShopKind): Promise<string[]> {
  const path = await shop(kind);
  const target = kind === "csv" || kind === "parquet" ? join(path, `orders.${kind}`) : path;
  return [...saberCommand(), "mcp", "-d", target];
}

async function output(args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("deno", {
    args: ["run", "-q", ...args],
    cwd: repository,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.ok(success, `${new TextDecoder().decode(stderr)}\n${text}`);
  return text;
}

const driven = z.object({
  server: z.object({ name: z.string(), version: z.string() }),
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

async function drive(options: Omit<Drive, "command">): Promise<z.infer<typeof driven>> {
  const argument: Drive = { ...options, command: await server("sqlite") };
  const script = "tests/support/drive_client.ts";
  return driven.parse(
    JSON.parse(await output(["-P=test", "--node-modules-dir=manual", script, JSON.stringify(argument)])),
  );
}

const STEPS: readonly Step[] = [
  { name: "list_dbs", arguments: {} },
  { name: "list_tables", arguments: {} },
  { name: "introspect_schema", arguments: { table_pattern: "main.order%" } },
  { name: "execute_sql", arguments: { query: COUNT } },
  { name: "execute_sql", arguments: { query: "DELETE FROM orders" } },
  { name: "execute_sql", arguments: { query: ENDLESS }, abortAfterMs: 300 },
  { name: "execute_sql", arguments: { query: COUNT } },
];

/** What every client must have got for STEPS; the clients themselves check answers against the output schemas. */
function check({ server, tools, results }: z.infer<typeof driven>): void {
  assert.equal(server.name, "saber");
  assert.deepEqual(tools.map(({ name }) => name), TOOLS);
  for (const { result: { isError, thrown, structuredContent, content } } of results) {
    if (isError || thrown !== undefined) continue;
    assert.deepEqual(JSON.parse(content?.[0]?.text ?? ""), structuredContent);
  }
  const [dbs, tables, schema, count, refused, aborted, again] = results.map(({ result }) => result);
  assert.equal(dbs?.structuredContent?.total_databases, 1);
  assert.ok(Number(tables?.structuredContent?.total_tables) >= 4);
  assert.match(JSON.stringify(schema?.structuredContent), /"main\.orders":/);
  assert.deepEqual(count?.structuredContent?.results, [{ orders: 21000 }]);
  assert.deepEqual(again, count);
  assert.ok(refused?.isError && refused.content?.[0]?.text.startsWith("[not_read_only] "));
  assert.notEqual(aborted?.thrown, undefined);
  // a second on a machine that has nothing else to do; a statement that runs on holds the next up for 30
  assert.ok((results.at(-1)?.ms ?? Infinity) < 10_000, "the next call does not wait for the aborted one");
}

for (const era of ["legacy", "auto", "modern"] as const) {
  Deno.test(`the official client, ${era} era`, async () => {
    const modules = await peer("@modelcontextprotocol/client");
    const [client, stdio] = ["dist/index.mjs", "dist/stdio.mjs"].map((path) => new URL(path, modules).href);
    check(await drive({ client: client ?? "", stdio: stdio ?? "", era, steps: STEPS }));
  });
}

Deno.test("the official client's predecessor", async () => {
  const modules = await peer("@modelcontextprotocol/sdk");
  const [client, stdio] = ["index.js", "stdio.js"].map((path) =>
    new URL(`dist/esm/client/${path}`, modules).href
  );
  check(await drive({ client: client ?? "", stdio: stdio ?? "", era: "legacy", steps: STEPS }));
});

async function inspect(kind: ShopKind, ...args: string[]): Promise<unknown> {
  const launcher = new URL("clients/launcher/build/index.js", await peer("@modelcontextprotocol/inspector"));
  const run = [
    "-A",
    launcher.pathname,
    "--cli",
    ...args,
    "--format",
    "json",
    "-q",
    "--",
    ...await server(kind),
  ];
  return JSON.parse(await output(run));
}

Deno.test("the inspector finds no fault with the schemas", async () => {
  const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
  const { result } = listed.parse(await inspect("sqlite", "--strict", "--method", "tools/list"));
  assert.deepEqual(result.tools.map(({ name }) => name), TOOLS);
});

const INSPECTED: readonly (readonly [ShopKind, era: string])[] = [
  ["sqlite", "legacy"],
  ["duckdb", "modern"],
  ["csv", "auto"],
  ["parquet", "auto"],
];

for (const [kind, era] of INSPECTED) {
  Deno.test(`the inspector runs a query on ${kind}, ${era} era`, async () => {
    const answered = z.object({
      result: z.object({ structuredContent: z.record(z.string(), z.unknown()) }),
    });
    const args = ["--protocol-era", era, "--method", "tools/call", "--tool-name", "execute_sql"];
    const query = JSON.stringify({ query: COUNT });
    const { result } = answered.parse(await inspect(kind, ...args, "--tool-args-json", query));
    assert.deepEqual(result.structuredContent.results, [{ orders: 21000 }]);
  });
}
