/**
 * A result of a million rows and thirty columns in `saber rpc`: what storing it costs in memory, and a page of it in time.
 * Both check that the stored bytes are the ones that the descriptor tells of.
 */
import { fileSum } from "../../src/store/file_sum.ts";
import { type BusyDatabases, busyDatabases } from "../support/busy_databases.ts";
import { familyMiB } from "../support/memory.ts";
import { type Play, startModelServer } from "../support/model_server.ts";
import { Program } from "../support/program.ts";
import { toolCallStream } from "../support/tool_call_stream.ts";
import type { Bench, Samples } from "./bench.ts";

const ROWS = 1_000_000;
const PAGE = 500;
const PAGES = 300;
const PATIENCE_MS = 300_000;
const WATCH_MS = 100;

/** Integers, texts, floats, NULLs and dates in turn. */
const KINDS = [
  "n * 7",
  "concat('row ', n, ' of many')",
  "n / 7.0",
  "CASE WHEN n % 3 = 0 THEN NULL ELSE n END",
  "'2024-02-29'",
];
const COLUMNS = Array.from({ length: 30 }, (_, at) => `${KINDS[at % KINDS.length]} AS c${at}`).join(", ");

/** Where the rows come from: a database, made for it where it is a server's, and numbers from 0 on as `c(n)`. */
interface Source {
  readonly selector: string | ((databases: BusyDatabases) => ReturnType<BusyDatabases[string]> | undefined);
  readonly numbers: (rows: number) => string;
}

const SOURCES = {
  SQLite: {
    selector: "sqlite:///:memory:",
    numbers: (rows: number) =>
      `WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ${rows - 1})`,
  },
  DuckDB: {
    selector: "duckdb://",
    numbers: (rows: number) => `WITH c AS (SELECT range AS n FROM range(${rows}))`,
  },
  PostgreSQL: {
    selector: (databases) => databases.PostgreSQL?.(),
    numbers: (rows: number) => `WITH c AS (SELECT generate_series(0, ${rows - 1}) AS n)`,
  },
  MariaDB: {
    selector: (databases) => databases.MariaDB?.(),
    numbers: (rows: number) => `WITH c AS (SELECT seq AS n FROM seq_0_to_${rows - 1})`,
  },
} satisfies { readonly [name: string]: Source };

const ask = ({ numbers }: Source, rows: number): Play[] => [
  {
    stream: {
      text: toolCallStream("execute_sql", {
        query: `${numbers(rows)} SELECT ${COLUMNS} FROM c LIMIT ${rows}`,
      }),
    },
  },
  { stream: "openai/text.sse" },
];

/** A program that has answered a small question already, and is then asked for all of it. */
async function withResult(
  source: Source,
  use: (stored: { program: Program; id: string; grownMiB: number; sizeMiB: number }) => Promise<Samples>,
): Promise<Samples> {
  const data = await Deno.makeTempDir();
  const { selector } = source;
  await using database = typeof selector === "string" ? undefined : await selector(await busyDatabases());
  await using server = startModelServer([...ask(source, 1000), ...ask(source, ROWS)]);
  await using program = new Program({
    args: ["rpc", "-d", database?.target ?? String(selector), "--model", "openai:m"],
    env: { XDG_DATA_HOME: data, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await end(program);
  const before = await familyMiB(program.pid);
  let most = before;
  const watch = setInterval(async () => most = Math.max(most, await familyMiB(program.pid)), WATCH_MS);
  const { queryResults: [result] } = await end(program);
  clearInterval(watch);
  const { id, size, sha256, rowCount } = result;
  const found = await fileSum(`${data}/sqlsaber/results/${id}/rows.ndjson`);
  if (rowCount !== ROWS || found.size !== size || found.sha256 !== sha256) {
    throw new Error("The stored result is not what its descriptor says.");
  }
  const samples = await use({ program, id, grownMiB: most - before, sizeMiB: size / 2 ** 20 });
  await program.send('{"type":"shutdown"}\n');
  await program.exit;
  await Deno.remove(data, { recursive: true });
  return samples;
}

async function end(program: Program) {
  await program.send('{"type":"prompt","message":"All of it?"}\n');
  for (;;) {
    const line = await program.line(PATIENCE_MS);
    if (line === undefined) throw new Error(`It ended:\n${await program.errors()}`);
    if (line.startsWith('{"type":"agent_end"')) return JSON.parse(line);
  }
}

async function timed(program: Program, command: object): Promise<number> {
  const start = performance.now();
  await program.send(`${JSON.stringify(command)}\n`);
  await program.line(PATIENCE_MS);
  return performance.now() - start;
}

function memoryBench(name: keyof typeof SOURCES): Bench {
  return {
    name: `saber rpc: memory that storing 1,000,000 rows of 30 columns from ${name} takes`,
    baseline: "their bytes",
    unit: "MiB",
    limit: { mib: 80 },
    run: () =>
      withResult(
        SOURCES[name],
        ({ grownMiB, sizeMiB }) => Promise.resolve({ measured: [grownMiB], baseline: [sizeMiB] }),
      ),
  };
}

export const LARGE_RESULT_BENCHES: readonly Bench[] = [
  memoryBench("SQLite"),
  memoryBench("DuckDB"),
  memoryBench("PostgreSQL"),
  memoryBench("MariaDB"),
  {
    name: "get_query_result: a page of 500 rows anywhere in 1,000,000 rows of 30 columns",
    baseline: "the first page",
    limit: { ms: 10 },
    run: () =>
      withResult(SOURCES.SQLite, async ({ program, id }) => {
        const measured: number[] = [];
        const baseline: number[] = [];
        for (let turn = 0; turn < PAGES; turn++) {
          const page = { type: "get_query_result", resultId: id, limit: PAGE };
          const offset = Math.floor(Math.random() * (ROWS - PAGE));
          baseline.push(await timed(program, { ...page, offset: 0 }));
          measured.push(await timed(program, { ...page, offset }));
        }
        return { measured, baseline };
      }),
  },
];
