/**
 * `saber plugin`: until its first answer, and 100,000 rows of ten columns page by page, next to the driver's own rows of the
 * same pages, stringified.
 */
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import mysql from "mysql2";
import { ADMIN as MARIADB_ADMIN, AdminClient, sharedMariadb } from "../support/mariadb_server.ts";
import { PluginHost } from "../support/plugin_host.ts";
import { ADMIN, adminClient, sharedPostgres } from "../support/postgres_server.ts";
import { Program } from "../support/program.ts";
import { type Bench, inTurns } from "./bench.ts";
import { hello, untilFirstLine } from "./start.ts";

const ROWS = 100_000;
const PAGE = 1_000;
const PAGES = { turns: 3, warmUp: 1 };
const COLUMNS = Array.from({ length: 10 }, (_, index) => `c${index}`);
const SELECT = `SELECT ${COLUMNS.join(", ")} FROM wide ORDER BY id`;

const TIME = "2024-02-29 12:00:00";

/** Number, big number, decimal, text and time, each twice; `i` is the row's number. */
const values = ({ text, time }: { text: string; time: string }) =>
  Array(2).fill(`i, 9007199254740992 + i, i * 0.5, ${text}, ${time}`).join(", ");
const columns = (types: readonly string[]) =>
  COLUMNS.map((name, index) => `${name} ${types[index % types.length] ?? ""}`).join(", ");

const startPlugin: Bench = {
  name: "saber plugin until its first answer",
  baseline: "hello world",
  limit: { ratio: 3 },
  run: async () => {
    const initialize = `${
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { settings: {} } })
    }\n`;
    return await inTurns({
      measured: () =>
        untilFirstLine(new Program({ args: ["plugin", "--driver", "saber-sqlite"] }), initialize),
      baseline: hello,
    }, { turns: 10, warmUp: 2 });
  },
};

/** One engine with the table. */
interface Sides extends AsyncDisposable {
  /** The connection form. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The rows of a query as the driver gives them when it is told nothing, as JSON. */
  json(sql: string): Promise<string>;
}

/** Each page by a request of its own; the real host, too, parses what it gets. */
function pagesBench(engine: string, make: () => Promise<Sides>): Bench {
  return {
    name: `saber plugin on ${engine}, 100,000 x 10 by page`,
    baseline: "the same pages by the driver, stringified and parsed",
    limit: { ratio: 1.5 },
    run: async () => {
      await using sides = await make();
      await using host = new PluginHost(sides.params);
      return await inTurns({
        measured: async () => {
          for (let page = 1; page <= ROWS / PAGE; page++) {
            await host.ask("execute_query", { query: SELECT, limit: PAGE, page, schema: null });
          }
        },
        baseline: async () => {
          for (let at = 0; at < ROWS; at += PAGE) {
            JSON.parse(await sides.json(`${SELECT} LIMIT ${PAGE} OFFSET ${at}`));
          }
        },
      }, PAGES);
    },
  };
}

async function sqlite(): Promise<Sides> {
  const path = await Deno.makeTempFile({ suffix: ".db" });
  const raw = new DatabaseSync(path);
  raw.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${columns([""])});
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO wide SELECT i, ${values({ text: "'some text ' || i", time: `'${TIME}'` })} FROM n`);
  return {
    params: { driver: "saber-sqlite", database: path },
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

async function postgres(): Promise<Sides> {
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
    json: async (sql) => JSON.stringify(await raw.unsafe(sql)),
    [Symbol.asyncDispose]: async () => {
      await raw.unsafe("DROP TABLE wide");
      await raw.end();
    },
  };
}

async function mariadb(): Promise<Sides> {
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
async function duckdb(): Promise<Sides> {
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
    json: async (sql) => JSON.stringify((await connection.runAndReadAll(sql)).getRowObjectsJson()),
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

export const PLUGIN_BENCHES = [
  startPlugin,
  pagesBench("SQLite", sqlite),
  pagesBench("PostgreSQL", postgres),
  pagesBench("MariaDB", mariadb),
  pagesBench("DuckDB", duckdb),
];
