/**
 * How long a client waits after it has cancelled a call whose statement would run for hours, on each kind of database: until
 * the next call is answered and, on servers, until their own lists no longer have the statement.
 */
import { busyDatabases } from "../support/busy_databases.ts";
import { callOf, hello, request } from "../support/mcp.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { Program } from "../support/program.ts";
import type { Bench, Samples } from "./bench.ts";

const TURNS = 9;

class Client implements AsyncDisposable {
  readonly #program: Program;

  constructor(target: string) {
    this.#program = new Program({ args: ["mcp", "-d", target] });
  }

  get pid(): number {
    return this.#program.pid;
  }

  async send(...messages: readonly unknown[]): Promise<void> {
    await this.#program.send(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  /** Reads up to the answer with this id. */
  async answer(id: number): Promise<void> {
    for (;;) {
      const line = await this.#program.line(PATIENCE_MS);
      if (line === undefined) throw new Error(`It ended:\n${await this.#program.errors()}`);
      if (line.includes(`"id":${id},`)) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}

const sql = (id: number, query: string) => request(id, "tools/call", callOf("execute_sql", { query }));
const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };

/** A server tells at once what it runs; of a process only the use of the processor would tell, after a while. */
const SERVERS = ["PostgreSQL", "MariaDB"];

async function run(engine: string): Promise<Samples> {
  const make = (await busyDatabases())[engine];
  if (make === undefined) throw new Error(`There is no ${engine}.`);
  await using database = await make();
  await using client = new Client(database.target);
  await client.send(...hello());
  const samples = { measured: new Array<number>(), baseline: new Array<number>() };
  for (let turn = 0; turn < TURNS; turn++) {
    samples.baseline.push(await time(() => ask(client)));
    await client.send(sql(2, database.endless));
    while (!await database.isBusy(client.pid));
    const stopped = async () => {
      await client.send(cancel);
      await ask(client);
      while (SERVERS.includes(engine) && await database.isBusy(client.pid));
    };
    samples.measured.push(await time(stopped));
  }
  return samples;
}

async function ask(client: Client): Promise<void> {
  await client.send(sql(3, "SELECT 1"));
  await client.answer(3);
}

async function time(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export const STOPPING_BENCHES: readonly Bench[] = ["SQLite", "DuckDB", "CSV", ...SERVERS].map((engine) => ({
  name: `a cancelled call and the next one, ${engine}`,
  baseline: "the next one alone",
  limit: { ms: 1000 },
  run: () => run(engine),
}));
