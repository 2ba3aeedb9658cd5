/**
 * `saber plugin`: until its first answer, and 100,000 rows of ten columns page by page, next to the driver's own rows of the
 * same pages, stringified.
 */
import { DatabaseSync } from "node:sqlite";
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

/** Each page by a request of its own; the real host, too, parses what it gets. */
async function readPages(host: PluginHost): Promise<void> {
  for (let page = 1; page <= ROWS / PAGE; page++) {
    await host.ask("execute_query", { query: SELECT, limit: PAGE, page, schema: null });
  }
}

/** Number, big number, decimal, text and time, each twice. */
const VALUES = "i, 9007199254740992 + i, i * 0.5, 'some text ' || i, '2024-02-29 12:00:00'";

const sqlitePages: Bench = {
  name: "saber plugin on SQLite, 100,000 x 10 by page",
  baseline: "the same pages by the driver, stringified and parsed",
  limit: { ratio: 1.5 },
  run: async () => {
    const path = await Deno.makeTempFile({ suffix: ".db" });
    const raw = new DatabaseSync(path);
    raw.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${COLUMNS.join(", ")});
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO wide SELECT i, ${VALUES}, ${VALUES} FROM n`);
    await using host = new PluginHost({ driver: "saber-sqlite", database: path });
    const samples = await inTurns({
      measured: () => readPages(host),
      baseline: () => {
        const write = (_: string, value: unknown) => typeof value === "bigint" ? String(value) : value;
        for (let at = 0; at < ROWS; at += PAGE) {
          const statement = raw.prepare(`${SELECT} LIMIT ${PAGE} OFFSET ${at}`);
          statement.setReadBigInts(true);
          JSON.parse(JSON.stringify(statement.all(), write));
        }
        return Promise.resolve();
      },
    }, PAGES);
    raw.close();
    await Deno.remove(path);
    return samples;
  },
};

const postgresPages: Bench = {
  name: "saber plugin on PostgreSQL, 100,000 x 10 by page",
  baseline: "the same pages by the library, stringified and parsed",
  limit: { ratio: 1.5 },
  run: async () => {
    const server = await sharedPostgres(18);
    const raw = adminClient(server);
    const types = "integer bigint numeric text timestamp".split(" ");
    await raw.unsafe(
      `DROP TABLE IF EXISTS wide; CREATE TABLE wide (id integer PRIMARY KEY, ${
        COLUMNS.map((name, index) => `${name} ${types[index % 5]}`).join(", ")
      }); INSERT INTO wide SELECT i, ${PG_VALUES}, ${PG_VALUES} FROM generate_series(1, ${ROWS}) AS i`,
    );
    await using host = new PluginHost({
      driver: "saber-postgres",
      host: "127.0.0.1",
      port: server.port,
      username: ADMIN.user,
      password: ADMIN.password,
      database: "shop",
      ssl_mode: "disable",
    });
    const samples = await inTurns({
      measured: () => readPages(host),
      baseline: async () => {
        for (let at = 0; at < ROWS; at += PAGE) {
          JSON.parse(JSON.stringify(await raw.unsafe(`${SELECT} LIMIT ${PAGE} OFFSET ${at}`)));
        }
      },
    }, PAGES);
    await raw.unsafe("DROP TABLE wide");
    await raw.end();
    return samples;
  },
};

const PG_VALUES = "i, 9007199254740992 + i, i * 0.5, 'some text ' || i, '2024-02-29 12:00:00'::timestamp";

export const PLUGIN_BENCHES = [startPlugin, sqlitePages, postgresPages];
