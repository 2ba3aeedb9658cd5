/**
 * A database of every kind that the program may be stopped in: a statement that never ends, and how it is seen from
 * outside that one runs or that something of the program is left.
 */
import { cpuSeconds } from "./cpu.ts";
import { ADMIN as MARIADB_ADMIN, AdminClient, sharedMariadb } from "./mariadb_server.ts";
import { createDatabase } from "./postgres_database.ts";
import { ADMIN as POSTGRES_ADMIN, adminClient, sharedPostgres } from "./postgres_server.ts";
import { shop } from "./shop.ts";
import { isBusyWith, processesOf } from "./sqlite_processes.ts";

export interface BusyDatabase extends AsyncDisposable {
  /** What `-d` is given. */
  readonly target: string;
  readonly endless: string;
  /** Whether a statement of the program with this process id is at work. */
  isBusy(pid: number): Promise<boolean>;
  /** Whether a process or a connection is left; asked when the program has ended. */
  isHeld(): Promise<boolean>;
}

/** Each call makes one of its own. */
export interface BusyDatabases {
  readonly [engine: string]: () => Promise<BusyDatabase>;
}

/** To be called at the top of a file, outside its tests: servers are started, which outlive them. */
export async function busyDatabases(): Promise<BusyDatabases> {
  const [postgres, mariadb] = await Promise.all([sharedPostgres(18), sharedMariadb()]);
  const url = (scheme: string, { port, login, name }: { port: number; login: Login; name: string }) =>
    `${scheme}://${login.user}:${encodeURIComponent(login.password)}@127.0.0.1:${port}/${name}`;
  return {
    SQLite: async () => {
      const { target, ...copy } = await copyOf(await shop("sqlite"));
      return {
        ...copy,
        target,
        endless: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        isBusy: () => isBusyWith(target),
        isHeld: async () => (await processesOf(target)).length > 0,
      };
    },
    DuckDB: async () => inProcess(await copyOf(await shop("duckdb"))),
    CSV: async () => inProcess(await copyOf(`${await shop("csv")}/orders.csv`)),
    PostgreSQL: async () => {
      const { name, drop } = await createDatabase(postgres, []);
      const sessions = async (condition: string) => {
        const admin = adminClient(postgres, "postgres");
        const rows = await admin.unsafe(
          `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND ${condition}`,
        );
        await admin.end();
        return rows.length > 0;
      };
      return {
        target: url("postgres", { port: postgres.port, login: POSTGRES_ADMIN, name }),
        endless: "SELECT count(*) FROM (SELECT generate_series(1, 9000000000000000)) AS endless",
        isBusy: () => sessions("state = 'active' AND query LIKE '%9000000000000000%'"),
        isHeld: () => sessions("true"),
        [Symbol.asyncDispose]: drop,
      };
    },
    MariaDB: async () => {
      const name = `test_${crypto.randomUUID().slice(0, 8)}`;
      const admin = new AdminClient(mariadb);
      await admin.run(`CREATE DATABASE ${name}`);
      const sessions = async (condition: string) =>
        (await admin.rows(
          `SELECT 1 FROM information_schema.processlist WHERE db = '${name}' AND ${condition}`,
        )).length > 0;
      return {
        target: url("mariadb", { port: mariadb.port, login: MARIADB_ADMIN, name }),
        endless: "SELECT count(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b",
        isBusy: () => sessions("info LIKE '%seq_1_to_1000000000%'"),
        isHeld: () => sessions("true"),
        async [Symbol.asyncDispose]() {
          await admin.run(`DROP DATABASE ${name}`);
          admin.end();
        },
      };
    },
  };
}

interface Login {
  readonly user: string;
  readonly password: string;
}

type Copy = Pick<BusyDatabase, "target"> & AsyncDisposable;

async function copyOf(path: string): Promise<Copy> {
  const folder = await Deno.makeTempDir();
  const target = `${folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
  await Deno.copyFile(path, target);
  return { target, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

/** Statements run inside the program: it uses processor time while they do, and nothing outlives it. */
function inProcess(copy: Copy): BusyDatabase {
  const endless = "SELECT count(*) FROM range(100000000000) a, range(1000) b";
  return { ...copy, endless, isBusy: usesProcessor, isHeld: () => Promise.resolve(false) };
}

const WATCHED_MS = 1500;
const BUSY_SECONDS = 0.3;

/** More of it than a program that waits, also where it has to share the processors. */
async function usesProcessor(pid: number): Promise<boolean> {
  const before = await cpuSeconds(pid);
  await new Promise((go) => setTimeout(go, WATCHED_MS));
  return await cpuSeconds(pid) - before >= BUSY_SECONDS;
}
