/**
 * `deno task bench`: runs each bench and prints a table; words after it choose those whose names hold one of them, and
 * `--gigabytes N` is the size of the large data files (2). It writes nothing. It ends with exit code 1 when a limit is exceeded.
 */
import { parseArgs } from "node:util";
import { type Bench, quantile } from "./bench.ts";
import { COMPILED_DUCKDB } from "./compiled_duckdb.ts";
import { DBHUB_BENCHES } from "./dbhub.ts";
import { DUCKDB_BENCHES } from "./duckdb.ts";
import { executeSql, executeSqlMcp } from "./execute_sql.ts";
import { filesBenches } from "./files.ts";
import { getState } from "./get_state.ts";
import { LARGE_RESULT_BENCHES } from "./large_result.ts";
import { MANY_TABLES_BENCHES } from "./many_tables.ts";
import { MYSQL_BENCHES } from "./mysql.ts";
import { PLUGIN_BENCHES } from "./plugin.ts";
import { POSTGRES_BENCHES } from "./postgres.ts";
import { rest } from "./rest.ts";
import { SQLITE_BENCHES } from "./sqlite.ts";
import { isCompiled, START_CLI, startMcp, startRpc } from "./start.ts";
import { STOPPING_BENCHES } from "./stopping.ts";

const { values: { gigabytes }, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { gigabytes: { type: "string", default: "2" } },
});

/** One line for each bench. */
const BENCHES: readonly Bench[] = [
  startRpc,
  startMcp,
  ...START_CLI,
  rest,
  ...isCompiled ? COMPILED_DUCKDB : [],
  getState,
  executeSql,
  executeSqlMcp,
  ...LARGE_RESULT_BENCHES,
  ...SQLITE_BENCHES,
  ...POSTGRES_BENCHES,
  ...MYSQL_BENCHES,
  ...DUCKDB_BENCHES,
  ...filesBenches(Number(gigabytes)),
  ...PLUGIN_BENCHES,
  ...DBHUB_BENCHES,
  ...MANY_TABLES_BENCHES,
  ...STOPPING_BENCHES,
];

interface Result {
  readonly cells: readonly string[];
  readonly isOver: boolean;
}

async function run(bench: Bench): Promise<Result> {
  const samples = await bench.run();
  const part = bench.quantile ?? 0.5;
  const [measured, baseline] = [quantile(samples.measured, part), quantile(samples.baseline, part)];
  const ratio = measured / baseline;
  const { limit } = bench;
  const [most, promise] = promiseOf(limit);
  const isOver = ("ratio" in (limit ?? {}) ? ratio : measured) > most;
  return {
    cells: [
      bench.name,
      show(measured, bench.unit),
      bench.baseline,
      show(baseline, bench.unit),
      `${ratio.toFixed(2)} x`,
      promise,
      isOver ? "over" : "",
    ],
    isOver,
  };
}

function promiseOf(limit: Bench["limit"]): readonly [most: number, text: string] {
  if (limit === undefined) return [Infinity, ""];
  if ("ms" in limit) return [limit.ms, `${limit.ms} ms`];
  return "mib" in limit ? [limit.mib, `${limit.mib} MiB`] : [limit.ratio, `${limit.ratio} x`];
}

function show(value: number, unit = "ms"): string {
  return `${value < 10 ? value.toFixed(3) : value.toFixed(0)} ${unit}`;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

const chosen = BENCHES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
print(
  `Medians, where no other quantile is named, on ${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}, ${Deno.build.target}\n`,
);
print("| what | median | next to | median | ratio | limit | |\n|---|---:|---|---:|---:|---:|---|");
let isOver = false;
for (const bench of chosen) {
  const result = await run(bench);
  isOver ||= result.isOver;
  print(`| ${result.cells.join(" | ")} |`);
}
Deno.exit(isOver ? 1 : 0);
