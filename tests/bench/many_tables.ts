/**
 * The first answers about a database of 10,000 tables, as a client of `saber mcp` waits for them: connecting is part of it.
 */
import { MANY_TABLES, type ManyTables } from "../support/many_tables.ts";
import { Program } from "../support/program.ts";
import type { Bench, Samples } from "./bench.ts";

const PATIENCE_MS = 60_000;
const TURNS = 3;

const params = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

async function ask(program: Program, method: string, params: object): Promise<void> {
  await program.send(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  const line = await program.line(PATIENCE_MS);
  if (line === undefined || /"isError":true|"error":\{/.test(line.slice(-200))) {
    throw new Error(`No answer but: ${line?.slice(0, 500)}`);
  }
}

/** The first call of a session, and the second one as the baseline. */
async function firstAndSecond(target: string, call: object): Promise<readonly [number, number]> {
  await using program = new Program({ args: ["mcp", "-d", target] });
  await ask(program, "initialize", params);
  await program.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const time = async () => {
    const begun = performance.now();
    await ask(program, "tools/call", call);
    return performance.now() - begun;
  };
  return [await time(), await time()];
}

function manyTablesBench(
  [engine, make]: readonly [string, () => Promise<ManyTables>],
  { what, call }: { what: string; call: object },
): Bench {
  return {
    name: `MCP on ${engine}: ${what} of 10,000, the first call`,
    baseline: "the second call",
    limit: { ms: 1000 },
    run: async (): Promise<Samples> => {
      await using database = await make();
      const samples: { measured: number[]; baseline: number[] } = { measured: [], baseline: [] };
      for (let turn = 0; turn < TURNS; turn++) {
        const [first, second] = await firstAndSecond(database.target, call);
        samples.measured.push(first);
        samples.baseline.push(second);
      }
      return samples;
    },
  };
}

const LIST = { what: "listing tables", call: { name: "list_tables", arguments: {} } };
const FEW = {
  what: "describing 100 tables",
  call: { name: "introspect_schema", arguments: { table_pattern: "%table_99__" } },
};

export const MANY_TABLES_BENCHES: readonly Bench[] = Object.entries(MANY_TABLES).flatMap((engine) =>
  [LIST, FEW].map((call) => manyTablesBench(engine, call))
);
