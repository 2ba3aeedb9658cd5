/**
 * The MySQL engine below the guard, on MariaDB, next to its library alone on the same server: round trips, rows, the
 * catalog.
 */
import mysql, { type Connection } from "mysql2";
import type { Database } from "../../src/db/driver.ts";
import { NEVER } from "../suites/database_fixture.ts";
import { ADMIN, AdminClient, type MariadbServer, sharedMariadb } from "../support/mariadb_server.ts";
import { mysqlTarget, openMysql } from "../support/mysql_database.ts";
import { type Bench, inTurns, type Samples, type TurnOptions } from "./bench.ts";
import { countRows } from "./count_rows.ts";
import { memoryBench } from "./memory.ts";

const ORDERS =
  `CREATE TABLE IF NOT EXISTS orders (id INT PRIMARY KEY, customer INT, name VARCHAR(40), city VARCHAR(40),
  total DOUBLE, quantity INT, at DATETIME, note TEXT) SELECT seq AS id, seq % 1000 AS customer,
  CONCAT('Customer name ', seq) AS name, CONCAT('München ', seq % 50) AS city, seq * 1.17 AS total, seq % 9 AS quantity,
  '2024-01-02 03:04:05' + INTERVAL seq SECOND AS at, IF(seq % 3 = 0, CONCAT('some note text here ', seq), NULL) AS note
  FROM seq_1_to_1000000`;

const ALL = "SELECT * FROM orders";

const COLUMNS = Array.from({ length: 19 }, (_, index) => `column_${index} VARCHAR(20)`).join(", ");

/** Made on the server, which saves 5,000 round trips. */
const MANY_TABLES = `BEGIN NOT ATOMIC
  FOR n IN 0..4999 DO
    EXECUTE IMMEDIATE CONCAT('CREATE TABLE IF NOT EXISTS table_', n, ' (id INT PRIMARY KEY, ${COLUMNS})');
  END FOR;
END`;

interface Sides {
  readonly engine: Database;
  readonly raw: Connection;
}

interface Place {
  readonly database: string;
  /** What it makes stays for the next bench with the same setup. */
  readonly setup: readonly string[];
  readonly options: TurnOptions;
}

/** The server, with the database made. */
async function prepare(database: string, setup: readonly string[]): Promise<MariadbServer> {
  const server = await sharedMariadb();
  const admin = new AdminClient(server, "mysql");
  await admin.run(
    `CREATE DATABASE IF NOT EXISTS ${database} CHARACTER SET utf8mb4`,
    `USE ${database}`,
    ...setup,
  );
  admin.end();
  return server;
}

/** One database, opened by the engine and directly. */
async function compare(
  { database, setup, options }: Place,
  work: (sides: Sides) => { measured: () => Promise<void>; baseline: () => Promise<void> },
): Promise<Samples> {
  const server = await prepare(database, setup);
  const engine = await openMysql({ server, target: { database }, timeoutMs: 60_000 });
  const raw = mysql.createConnection({ host: "127.0.0.1", port: server.port, ...ADMIN, database });
  const samples = await inTurns(work({ engine, raw }), options);
  raw.destroy();
  await engine.close();
  return samples;
}

/** The rows as the library hands them out when it is told nothing. */
async function drain(raw: Connection, sql: string): Promise<void> {
  for await (const _ of raw.query(sql).stream());
}

const roundTrip: Bench = {
  name: "MariaDB: SELECT 1",
  baseline: "mysql2",
  run: () =>
    compare({ database: "bench", setup: [], options: { turns: 500, warmUp: 100 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, "SELECT 1"),
      baseline: () => drain(raw, "SELECT 1"),
    })),
};

const millionRows: Bench = {
  name: "MariaDB: 1,000,000 rows",
  baseline: "mysql2's stream",
  limit: { ratio: 1.3 },
  run: () =>
    compare({ database: "bench", setup: [ORDERS], options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
      measured: async () => void await countRows(engine, ALL),
      baseline: () => drain(raw, ALL),
    })),
};

const memory = memoryBench("MariaDB", async (use) => {
  const server = await prepare("bench", [ORDERS]);
  return await use({ target: mysqlTarget({ server, target: { database: "bench" } }), sql: ALL });
});

function catalogBench(
  name: string,
  { ms, read }: { ms: number; read: (engine: Database) => Promise<unknown> },
): Bench {
  const database = "bench_many";
  const all = `SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '${database}'`;
  return {
    name: `MariaDB: ${name} 5,000 tables of 20 columns`,
    baseline: "reading information_schema.COLUMNS",
    limit: { ms },
    run: () =>
      compare({ database, setup: [MANY_TABLES], options: { turns: 5, warmUp: 1 } }, ({ engine, raw }) => ({
        measured: async () => void await read(engine),
        baseline: () => drain(raw, all),
      })),
  };
}

export const MYSQL_BENCHES: readonly Bench[] = [
  roundTrip,
  millionRows,
  memory,
  catalogBench("describe", { ms: 3000, read: (engine) => engine.describe({ signal: NEVER }) }),
  catalogBench("list", { ms: 500, read: (engine) => engine.tables({ signal: NEVER }) }),
];
