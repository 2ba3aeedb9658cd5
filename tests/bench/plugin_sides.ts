/**
 * The databases that `saber plugin` is measured on: the same table of ten columns in each engine, with the driver's own way to
 * its rows beside it.
 */
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import mysql from "mysql2";
import { ADMIN as MARIADB_ADMIN, AdminClient, sharedMariadb } from "../support/mariadb_server.ts";
import { ADMIN, adminClient, sharedPostgres } from "../support/postgres_server.ts";

export const ROWS = 100_000;
const COLUMNS = Array.from({ length: 10 }, (_, index) => `c${index}`);
export const SELECT = `SELECT ${COLUMNS.join(", ")} FROM wide ORDER BY id`;
const TIME = "2024-02-29 12:00:00";

/** Number, big number, decimal, text and time, each twice; `i` is the row's number. */
const values = ({ text, time }: { text: string; time: string }) =>
  Array(2).fill(`i, 9007199254740992 + i, i * 0.5, ${text}, ${time}`).join(", ");
const columns = (types: readonly string[]) =>
  COLUMNS.map((name, index) => `${name} ${types[index % types.length] ?? ""}`).join(", ");

/** One engine with the table. */
export interface Sides extends AsyncDisposable {
  /** The connection form. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Runs for as long as it is let. */
  readonly slowQuery: string;
  /** The rows of a query as the driver gives them when it is told nothing, as JSON. */
  json(sql: string): Promise<string>;
}

export async function sqlite(): Promise<Sides> {
  const path = await Deno.makeTempFile({ suffix: ".db" });
  const raw = new DatabaseSync(path);
  raw.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${columns([""])});
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO wide SELECT i, ${values({ text: "'some text ' || i", time: `'${TIME}'` })} FROM n`);
  return {
    params: { driver: "saber-sqlite", database: path },
    slowQuery: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    json: (sql) => {
      const statement = raw.prepare(sql);
      statement.setReadBigInts(true);
      const write = (_: string, value: unknown) => typeof value === "bigint" ? String(value) : value;
      return Promise.resolve(JSON.stringify(statement.all(), write));
    },
    [Symbol.asyncDispose]: async () => {
      raw.close();
      await Deno.remove(path);
    },
  };
}

export async function postgres(): Promise<Sides> {
  const server = await sharedPostgres(18);
  const raw = adminClient(server);
  const types = ["integer", "bigint", "numeric", "text", "timestamp"];
  await raw.unsafe(
    `DROP TABLE IF EXISTS wide; CREATE TABLE wide (id integer PRIMARY KEY, ${columns(types)});
     INSERT INTO wide SELECT i, ${values({ text: "'some text ' || i", time: `'${TIME}'::timestamp` })}
     FROM generate_series(1, ${ROWS}) AS i`,
  );
  return {
    params: {
      driver: "saber-postgres",
      host: "127.0.0.1",
      port: server.port,
      username: ADMIN.user,
      password: ADMIN.password,
      database: "shop",
      ssl_mode: "disable",
    },
    slowQuery: "SELECT pg_sleep(600)",
    json: async (sql) => JSON.stringify(await raw.unsafe(sql)),
    [Symbol.asyncDispose]: async () => {
      await raw.unsafe("DROP TABLE wide");
      await raw.end();
    },
  };
}

export async function mariadb(): Promise<Sides> {
  const server = await sharedMariadb();
  const admin = new AdminClient(server, "mysql");
  const types = ["INT", "BIGINT", "DECIMAL(20,1)", "TEXT", "DATETIME"];
  await admin.run(
    "CREATE DATABASE IF NOT EXISTS bench",
    "DROP TABLE IF EXISTS bench.wide",
    `CREATE TABLE bench.wide (id INT PRIMARY KEY, ${columns(types)})`,
    `INSERT INTO bench.wide SELECT i, ${
      values({ text: "CONCAT('some text ', i)", time: `'${TIME}'` })
    } FROM (SELECT seq AS i FROM seq_1_to_${ROWS}) AS numbers`,
  );
  admin.end();
  const login = { host: "127.0.0.1", port: server.port, ...MARIADB_ADMIN, database: "bench" };
  const raw = mysql.createConnection(login);
  return {
    params: {
      driver: "saber-mysql",
      host: login.host,
      port: login.port,
      username: login.user,
      password: login.password,
      database: login.database,
      ssl_mode: "disabled",
    },
    slowQuery: "SELECT SLEEP(600)",
    json: (sql) =>
      new Promise((resolve, reject) =>
        raw.query(
          sql,
          (error: Error | null, rows: unknown) =>
            error === null ? resolve(JSON.stringify(rows)) : reject(error),
        )
      ),
    [Symbol.asyncDispose]: () => Promise.resolve(raw.destroy()),
  };
}

/** Each side has a file of its own, since a file is one process's at a time. */
export async function duckdb(): Promise<Sides> {
  const folder = await Deno.makeTempDir();
  const types = ["INTEGER", "BIGINT", "DECIMAL(20,1)", "VARCHAR", "TIMESTAMP"];
  const make = async (name: string) => {
    const instance = await DuckDBInstance.create(`${folder}/${name}`);
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${columns(types)});
      INSERT INTO wide SELECT i, ${values({ text: "'some text ' || i", time: `'${TIME}'` })}
      FROM range(1, ${ROWS + 1}) AS numbers(i); CHECKPOINT`);
    return { instance, connection };
  };
  const theirs = await make("saber.duckdb");
  theirs.connection.closeSync();
  theirs.instance.closeSync();
  const { instance, connection } = await make("raw.duckdb");
  return {
    params: { driver: "saber-duckdb", database: `${folder}/saber.duckdb` },
    slowQuery: "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7",
    json: async (sql) => JSON.stringify((await connection.runAndReadAll(sql)).getRowObjectsJson()),
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
