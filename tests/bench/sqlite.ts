/**
 * The SQLite engine below the guard, next to node:sqlite in this process: starting, round trips, rows, the catalog.
 */
import { DatabaseSync } from "node:sqlite";
import { open } from "../../src/db/sqlite/sqlite.ts";
import { DIGITS, rowWriter } from "../../src/db/values.ts";
import { CAPS, NEVER, run } from "../suites/database_fixture.ts";
import { makeFile, openFile, type SqliteFile } from "../support/sqlite_file.ts";
import { type Bench, inTurns, type Samples, type TurnOptions } from "./bench.ts";
import { countRows } from "./count_rows.ts";
import { memoryBench } from "./memory.ts";

const NUMBERS = (count: number) =>
  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT ${count})`;

const ORDERS =
  `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, name TEXT, city TEXT, total REAL,
    quantity INTEGER, at TEXT, note TEXT);
  INSERT INTO orders ${
    NUMBERS(1_000_000)
  } SELECT n, n * 7 % 1000, 'Customer name ' || n, 'München ' || n % 50, n * 1.17,
    n % 9, '2024-01-02T03:04:05', CASE WHEN n % 3 = 0 THEN 'some note text here ' || n END FROM c`;

const THOUSAND = "SELECT * FROM orders LIMIT 1000";
const ALL = "SELECT * FROM orders";

type Engine = ReturnType<typeof openFile>["database"];
interface Sides {
  readonly file: SqliteFile;
  readonly engine: Engine;
  readonly raw: DatabaseSync;
}

/** One file, opened by the engine and directly. */
async function compare(
  { setup, options }: { setup: string; options: TurnOptions },
  work: (sides: Sides) => { measured: () => Promise<void>; baseline: () => Promise<void> },
): Promise<Samples> {
  await using file = await makeFile(setup);
  await using opened = openFile(file, { timeoutMs: 60_000 });
  const raw = new DatabaseSync(file.path, { readOnly: true });
  const samples = await inTurns(work({ file, engine: opened.database, raw }), options);
  raw.close();
  return samples;
}

async function json(engine: Engine, sql: string): Promise<string> {
  const { columns, batches } = await run(engine, sql);
  const write = rowWriter(columns, DIGITS);
  let text = "";
  for await (const batch of batches) for (const row of batch) text += `${write(row)},`;
  return text;
}

const firstAnswer: Bench = {
  name: "SQLite: opening until the first answer",
  baseline: "hello world",
  limit: { ms: 100 },
  run: async () => {
    await using file = await makeFile("CREATE TABLE t (a)");
    const measured = async () => {
      const database = open(file.target, { access: "read", timeoutMs: 10_000 });
      await database.run({ sql: "SELECT count(*) FROM t", caps: CAPS, signal: NEVER });
      return { [Symbol.asyncDispose]: () => database.close() };
    };
    const baseline = async () => {
      await new Deno.Command("deno", { args: ["run", "-q", "tests/bench/hello.ts"] }).output();
    };
    return await inTurns({ measured, baseline }, { turns: 15, warmUp: 2 });
  },
};

const roundTrip: Bench = {
  name: "SQLite: SELECT 1",
  baseline: "node:sqlite",
  limit: { ms: 0.3 },
  run: () =>
    compare(
      { setup: "CREATE TABLE t (a)", options: { turns: 500, warmUp: 100 } },
      ({ engine, raw }) => ({
        measured: async () => void await countRows(engine, "SELECT 1"),
        baseline: () => Promise.resolve(void raw.prepare("SELECT 1").all()),
      }),
    ),
};

const thousandRows: Bench = {
  name: "SQLite: 1,000 rows as JSON",
  baseline: "node:sqlite's objects, JSON.stringify and a round trip",
  limit: { ratio: 1.5 },
  run: () =>
    compare({ setup: ORDERS, options: { turns: 100, warmUp: 20 } }, ({ engine, raw }) => ({
      measured: async () => void await json(engine, THOUSAND),
      baseline: async () => {
        JSON.stringify(raw.prepare(THOUSAND).all());
        await countRows(engine, "SELECT 1");
      },
    })),
};

const millionRows: Bench = {
  name: "SQLite: 1,000,000 rows",
  baseline: "node:sqlite's iterator",
  limit: { ratio: 1.3 },
  run: () =>
    compare({ setup: ORDERS, options: { turns: 3, warmUp: 1 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, ALL),
      baseline: () => {
        for (const _ of raw.prepare(ALL).iterate());
        return Promise.resolve();
      },
    })),
};

const memory = memoryBench("SQLite", async (use) => {
  await using file = await makeFile(ORDERS);
  return await use({ target: file.target, sql: ALL });
});

function manyTables(): string {
  const columns = Array.from({ length: 19 }, (_, index) => `column_${index} TEXT`).join(", ");
  const tables = Array.from(
    { length: 5000 },
    (_, table) => `CREATE TABLE table_${table} (id INTEGER PRIMARY KEY, ${columns})`,
  );
  return `BEGIN; ${tables.join("; ")}; COMMIT`;
}

function catalogBench(
  name: string,
  { ms, read }: { ms: number; read: (engine: Engine) => Promise<unknown> },
): Bench {
  return {
    name: `SQLite: ${name} 5,000 tables of 20 columns`,
    baseline: "reading sqlite_schema",
    limit: { ms },
    run: () =>
      compare({ setup: manyTables(), options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
        measured: async () => void await read(engine),
        baseline: () => Promise.resolve(void raw.prepare("SELECT name, sql FROM sqlite_schema").all()),
      })),
  };
}

export const SQLITE_BENCHES: readonly Bench[] = [
  firstAnswer,
  roundTrip,
  thousandRows,
  millionRows,
  memory,
  catalogBench("describe", { ms: 1500, read: (engine) => engine.describe({ signal: NEVER }) }),
  catalogBench("list", { ms: 500, read: (engine) => engine.tables({ signal: NEVER }) }),
];
