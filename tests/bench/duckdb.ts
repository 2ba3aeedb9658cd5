/**
 * The DuckDB engine below the guard, next to its library alone on the same file: round trips, rows, the catalog.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Database } from "../../src/db/driver.ts";
import { driver } from "../../src/db/duckdb.ts";
import { NEVER } from "../suites/database_fixture.ts";
import { duckdbFile, testFolder } from "../support/duckdb.ts";
import { type Bench, inTurns, type Samples, type TurnOptions } from "./bench.ts";
import { countRows } from "./count_rows.ts";
import { memoryBench } from "./memory.ts";

const ORDERS =
  `CREATE TABLE orders AS SELECT range::INTEGER AS id, range * 7 % 1000 AS customer, 'Customer name ' || range AS name,
  'München ' || range % 50 AS city, range * 1.17::DOUBLE AS total, range % 9 AS quantity,
  TIMESTAMP '2024-01-02 03:04:05' + to_seconds(range) AS at,
  CASE WHEN range % 3 = 0 THEN 'some note text here ' || range END AS note FROM range(1000000)`;

const ALL = "SELECT * FROM orders";

interface Sides {
  readonly engine: Database;
  readonly raw: DuckDBConnection;
}

/** One file, opened by the engine and directly. */
async function compare(
  { setup, options }: { setup: readonly string[]; options: TurnOptions },
  work: (sides: Sides) => { measured: () => Promise<void>; baseline: () => Promise<void> },
): Promise<Samples> {
  await using folder = await testFolder();
  const target = await duckdbFile(folder.path, setup);
  const engine = await driver.open(target, { access: "read", timeoutMs: 60_000 });
  const instance = await DuckDBInstance.create(target.path, { access_mode: "READ_ONLY" });
  const raw = await instance.connect();
  const samples = await inTurns(work({ engine, raw }), options);
  raw.closeSync();
  instance.closeSync();
  await engine.close();
  return samples;
}

const roundTrip: Bench = {
  name: "DuckDB: SELECT 1",
  baseline: "@duckdb/node-api",
  run: () =>
    compare({ setup: [], options: { turns: 300, warmUp: 50 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, "SELECT 1"),
      baseline: async () => void (await raw.runAndReadAll("SELECT 1")).getRows(),
    })),
};

const millionRows: Bench = {
  name: "DuckDB: 1,000,000 rows",
  baseline: "@duckdb/node-api's own stream of rows",
  limit: { ratio: 1.3 },
  run: () =>
    compare({ setup: [ORDERS], options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, ALL),
      baseline: async () => {
        for await (const _ of (await raw.stream(ALL)).yieldRows());
      },
    })),
};

/** In one transaction, which saves 5,000 writes to the disk. */
function manyTables(): string[] {
  const columns = Array.from({ length: 19 }, (_, index) => `column_${index} VARCHAR`).join(", ");
  const tables = Array.from(
    { length: 5000 },
    (_, table) => `CREATE TABLE table_${table} (id INTEGER PRIMARY KEY, ${columns})`,
  );
  return ["BEGIN", ...tables, "COMMIT"];
}

function catalogBench(
  name: string,
  { ms, read }: { ms: number; read: (engine: Database) => Promise<unknown> },
): Bench {
  return {
    name: `DuckDB: ${name} 5,000 tables of 20 columns`,
    baseline: "reading duckdb_columns()",
    limit: { ms },
    run: () =>
      compare({ setup: manyTables(), options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
        measured: async () => void await read(engine),
        baseline: async () => void (await raw.runAndReadAll("FROM duckdb_columns()")).getRows(),
      })),
  };
}

const memory = memoryBench("DuckDB", async (use) => {
  await using folder = await testFolder();
  return await use({ target: await duckdbFile(folder.path, [ORDERS]), sql: ALL });
});

export const DUCKDB_BENCHES: readonly Bench[] = [
  roundTrip,
  millionRows,
  memory,
  catalogBench("describe", { ms: 1500, read: (engine) => engine.describe({ signal: NEVER }) }),
  catalogBench("list", { ms: 500, read: (engine) => engine.tables({ signal: NEVER }) }),
];
