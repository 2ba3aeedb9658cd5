/**
 * execute_sql with 1,000 rows, next to the driver's rows as objects, JSON.stringify and one round trip to a child.
 */
import { Databases } from "../../src/db/databases.ts";
import { ENGINES } from "../../src/db/registry.ts";
import { WholeRows } from "../../src/modes/mcp/whole_rows.ts";
import { ToolService } from "../../src/tools/service.ts";
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import { type Bench, inTurns } from "./bench.ts";

const SQL = "SELECT * FROM orders LIMIT 1000";
const TURNS = { turns: 200, warmUp: 50 };

async function roundTrip(program: Program, line: string): Promise<void> {
  await program.send(line);
  if (await program.line(20_000) === undefined) throw new Error(`It ended:\n${await program.errors()}`);
}

async function startRaw(): Promise<Program> {
  const flags = ["run", "-q", "--allow-read", "--no-config"];
  return new Program({
    command: ["deno", ...flags, "tests/bench/raw_sqlite.ts"],
    args: [await shop("sqlite"), SQL],
  });
}

export const executeSql: Bench = {
  name: "execute_sql on SQLite, 1,000 rows",
  baseline: "the same rows by the driver, stringified, from a child",
  limit: { ratio: 1.5 },
  run: async () => {
    const target = {
      engine: "sqlite",
      name: "shop",
      path: await shop("sqlite"),
      excludeSchemas: [],
    } as const;
    const databases = new Databases([target], { engines: ENGINES, access: "read", timeoutMs: 30_000 });
    const tools = new ToolService({
      databases,
      databaseArgument: "when-several",
      caps: { unlimited: 1000, limited: 1000 },
      maxBytes: 1_000_000,
      rows: new WholeRows({ rowLimit: 1000, maxBytes: 1_000_000 }),
      serial: false,
    });
    await using raw = await startRaw();
    const signal = new AbortController().signal;
    const samples = await inTurns({
      measured: async () => void await tools.call("execute_sql", { query: SQL }, { signal }),
      baseline: () => roundTrip(raw, "\n"),
    }, TURNS);
    await databases.close();
    return samples;
  },
};

export const executeSqlMcp: Bench = {
  name: "execute_sql on SQLite, 1,000 rows, as an MCP client sees it",
  baseline: "the same rows by the driver, stringified, from a child",
  run: async () => {
    const message = (method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`;
    const clientInfo = { name: "bench", version: "1" };
    const call = message("tools/call", { name: "execute_sql", arguments: { query: SQL } });
    await using raw = await startRaw();
    await using saber = new Program({ args: ["mcp", "-d", await shop("sqlite")] });
    await roundTrip(
      saber,
      message("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }),
    );
    return await inTurns(
      { measured: () => roundTrip(saber, call), baseline: () => roundTrip(raw, "\n") },
      TURNS,
    );
  },
};
