/**
 * The second half of the demo: the official MCP client uses `saber mcp`, without any model.
 */
import type { Drive, Step } from "./drive_client.ts";
import { peer } from "./peers.ts";
import { saberCommand } from "./program.ts";
import { say, title } from "./say.ts";
import { repository } from "./sources.ts";

const STEPS: readonly Step[] = [
  { name: "list_dbs", arguments: {} },
  { name: "list_tables", arguments: {} },
  { name: "introspect_schema", arguments: { table_pattern: "main.customers" } },
  {
    name: "execute_sql",
    arguments: { query: "SELECT status, count(*) AS orders FROM orders GROUP BY status" },
  },
  { name: "execute_sql", arguments: { query: "DELETE FROM orders" } },
];
const SHOWN = 300;

/** Lists the tools and calls each, also one statement that must be refused. */
export async function useTheTools(database: string): Promise<void> {
  title("saber mcp: the tools, called by the official client");
  const client = await peer("@modelcontextprotocol/client");
  const { tools, results } = await drive({
    client: new URL("dist/index.mjs", client).href,
    transport: new URL("dist/stdio.mjs", client).href,
    era: "auto",
    server: [...saberCommand(), "mcp", "-d", database],
    steps: STEPS,
  });
  say(`tools: ${tools.map(({ name }: { name: string }) => name).join(", ")}`);
  STEPS.forEach(({ name, arguments: args }, index) => {
    const text: string = results[index].result.content[0].text;
    say(`\n${name} ${JSON.stringify(args)}\n  ${text.slice(0, SHOWN)}${text.length > SHOWN ? " …" : ""}`);
  });
}

async function drive(options: Drive) {
  const { success, stdout, stderr } = await new Deno.Command("deno", {
    args: [
      "run",
      "-q",
      "-P=test",
      "--node-modules-dir=manual",
      "tests/support/drive_client.ts",
      JSON.stringify(options),
    ],
    cwd: repository,
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
