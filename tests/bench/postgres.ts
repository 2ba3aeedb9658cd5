/**
 * The PostgreSQL engine below the guard, next to its library alone on the same server: round trips, rows, the catalog.
 */
import postgres from "postgres";
import type { Database } from "../../src/db/driver.ts";
import { NEVER } from "../suites/database_fixture.ts";
import { createDatabase, openPostgres, postgresTarget } from "../support/postgres_database.ts";
import { ADMIN, adminClient, type PostgresServer, sharedPostgres } from "../support/postgres_server.ts";
import { type Bench, inTurns, type Samples, type TurnOptions } from "./bench.ts";
import { countRows } from "./count_rows.ts";
import { memoryBench } from "./memory.ts";

const ORDERS = `CREATE TABLE orders AS SELECT n AS id, n % 1000 AS customer, 'Customer name ' || n AS name,
  'München ' || n % 50 AS city, n * 1.17 AS total, n % 9 AS quantity,
  timestamp '2024-01-02 03:04:05' + n * interval '1 second' AS at,
  CASE WHEN n % 3 = 0 THEN 'some note text here ' || n END AS note
  FROM generate_series(1, 1000000) AS n`;

const ALL = "SELECT * FROM orders";

/** Rows that the library's cursor fetches at once. */
const PART = 1000;

interface Sides {
  readonly engine: Database;
  readonly raw: postgres.Sql;
}

/** One database, opened by the engine and directly. */
async function compare(
  { setup, options }: { setup: readonly string[]; options: TurnOptions },
  work: (sides: Sides) => { measured: () => Promise<void>; baseline: () => Promise<void> },
): Promise<Samples> {
  const server: PostgresServer = await sharedPostgres(18);
  const { name, drop } = await createDatabase(server, setup);
  const engine = await openPostgres(server, { login: ADMIN, database: name, timeoutMs: 60_000 });
  const raw = adminClient(server, name);
  const samples = await inTurns(work({ engine, raw }), options);
  await raw.end();
  await engine.close();
  await drop();
  return samples;
}

const roundTrip: Bench = {
  name: "PostgreSQL: SELECT 1",
  baseline: "npm:postgres in a read-only transaction",
  run: () =>
    compare({ setup: [], options: { turns: 500, warmUp: 100 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, "SELECT 1"),
      baseline: async () => void await raw.begin("READ ONLY", (sql) => sql`SELECT 1`),
    })),
};

const millionRows: Bench = {
  name: "PostgreSQL: 1,000,000 rows",
  baseline: `npm:postgres's cursor of ${PART} rows`,
  limit: { ratio: 1.3 },
  run: () =>
    compare({ setup: [ORDERS, "ANALYZE"], options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, ALL),
      baseline: async () => {
        for await (const _ of raw.unsafe(ALL).cursor(PART));
      },
    })),
};

const memory = memoryBench("PostgreSQL", async (use) => {
  const server = await sharedPostgres(18);
  const { name, drop } = await createDatabase(server, [ORDERS]);
  const samples = await use({ target: postgresTarget(server, { login: ADMIN, database: name }), sql: ALL });
  await drop();
  return samples;
});

/** In several statements, since one transaction cannot hold the locks of all. */
function manyTables(): string[] {
  const columns = Array.from({ length: 19 }, (_, index) => `column_${index} varchar(20)`).join(", ");
  return Array.from({ length: 50 }, (_, part) =>
    `DO $$ BEGIN FOR n IN ${part * 100}..${part * 100 + 99} LOOP
      EXECUTE 'CREATE TABLE table_' || n || ' (id int PRIMARY KEY, ${columns})';
    END LOOP; END $$`);
}

function catalogBench(
  name: string,
  { ms, read }: { ms: number; read: (engine: Database) => Promise<unknown> },
): Bench {
  return {
    name: `PostgreSQL: ${name} 5,000 tables of 20 columns`,
    baseline: "reading pg_attribute",
    limit: { ms },
    run: () =>
      compare({ setup: manyTables(), options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
        measured: async () => void await read(engine),
        baseline: async () => void await raw`SELECT attrelid, attname, atttypid FROM pg_attribute`,
      })),
  };
}

export const POSTGRES_BENCHES: readonly Bench[] = [
  roundTrip,
  millionRows,
  memory,
  catalogBench("describe", { ms: 3000, read: (engine) => engine.describe({ signal: NEVER }) }),
  catalogBench("list", { ms: 500, read: (engine) => engine.tables({ signal: NEVER }) }),
];
