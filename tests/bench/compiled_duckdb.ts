/**
 * What DuckDB costs a compiled program ($PROGRAM) beside SQLite: with its first use, which unpacks the library, and later.
 */
import { Program } from "../support/program.ts";
import { shop } from "../support/shop.ts";
import type { Bench, Samples } from "./bench.ts";

const FIRST_TURNS = 3;
const LATER_TURNS = 10;

/** One row of a database, in milliseconds from the program's start to its end. */
async function answer(database: string, cache: string): Promise<number> {
  const start = performance.now();
  const args = ["sql", "-d", database, "SELECT count(*) FROM customers"];
  await using program = new Program({ args, env: { SQLSABER_CACHE_DIR: cache } });
  const { code } = await program.exit;
  if (code !== 0) throw new Error(await program.errors());
  return performance.now() - start;
}

async function inNewCache(use: (cache: string) => Promise<void>): Promise<void> {
  const cache = await Deno.makeTempDir({ prefix: "saber-bench-" });
  try {
    await use(cache);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

export const COMPILED_DUCKDB: readonly Bench[] = [
  {
    name: "saber sql on DuckDB for the first time",
    baseline: "on SQLite",
    limit: { ms: 2_000 },
    run: async () => {
      const samples = { measured: [] as number[], baseline: [] as number[] };
      for (let turn = 0; turn < FIRST_TURNS; turn++) {
        await inNewCache(async (cache) => {
          samples.baseline.push(await answer(await shop("sqlite"), cache));
          samples.measured.push(await answer(await shop("duckdb"), cache));
        });
      }
      return samples;
    },
  },
  {
    name: "what saber sql on DuckDB takes more than on SQLite, later",
    baseline: "on SQLite",
    limit: { ms: 300 },
    run: later,
  },
];

async function later(): Promise<Samples> {
  const samples = { measured: [] as number[], baseline: [] as number[] };
  await inNewCache(async (cache) => {
    await answer(await shop("duckdb"), cache);
    for (let turn = 0; turn < LATER_TURNS; turn++) {
      const sqlite = await answer(await shop("sqlite"), cache);
      samples.baseline.push(sqlite);
      samples.measured.push(await answer(await shop("duckdb"), cache) - sqlite);
    }
  });
  return samples;
}
