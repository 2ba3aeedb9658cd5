/**
 * `saber plugin`: until its first answer; 100,000 rows of ten columns page by page, next to the driver's own rows of the same
 * pages, stringified; and pings among other requests while a query runs.
 */
import { PluginHost } from "../support/plugin_host.ts";
import { Program } from "../support/program.ts";
import { type Bench, inTurns } from "./bench.ts";
import { duckdb, mariadb, postgres, ROWS, SELECT, type Sides, sqlite } from "./plugin_sides.ts";
import { hello, untilFirstLine } from "./start.ts";

const PAGE = 1_000;
const PAGES = { turns: 3, warmUp: 1 };
const REQUESTS = 200;

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

/** All requests are sent at once, every tenth asks for columns; the slowest ping counts, and of all turns the slowest. */
function pingsBench(engine: string, make: () => Promise<Sides>): Bench {
  return {
    name: `saber plugin on ${engine}, 180 pings among 20 get_columns while a query runs`,
    baseline: "a process that echoes as many lines",
    quantile: 1,
    limit: { ms: 50 },
    run: async () => {
      await using sides = await make();
      await using host = new PluginHost(sides.params);
      await using echo = new Program({
        command: ["deno", "run", "-q", "tests/bench/echo_lines.ts"],
        args: [],
      });
      await host.ask("ping");
      const slow = host.begin("execute_query", {
        query: sides.slowQuery,
        limit: null,
        page: 1,
        schema: null,
      });
      const samples = await inTurns({
        measured: async () => {
          const isPing = (index: number) => index % 10 > 0;
          const answers = Array.from(
            { length: REQUESTS },
            (_, index) =>
              isPing(index) ? host.ask("ping") : host.ask("get_columns", { table: "wide", schema: null }),
          );
          await Promise.all(answers.filter((_, index) => isPing(index)));
          return { [Symbol.asyncDispose]: async () => void await Promise.all(answers) };
        },
        baseline: async () => {
          const line = `${
            JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { params: sides.params } })
          }\n`;
          await echo.send(line.repeat(REQUESTS));
          for (let at = 0; at < REQUESTS; at++) await echo.line(20_000);
        },
      }, { turns: 20, warmUp: 3 });
      await host.send({ jsonrpc: "2.0", method: "cancel", params: { id: slow.id } });
      await slow.answer.catch(() => {});
      return samples;
    },
  };
}

const ENGINES = [["SQLite", sqlite], ["PostgreSQL", postgres], ["MariaDB", mariadb], [
  "DuckDB",
  duckdb,
]] as const;

export const PLUGIN_BENCHES: readonly Bench[] = [
  startPlugin,
  ...ENGINES.map(([engine, make]) => pagesBench(engine, make)),
  ...ENGINES.map(([engine, make]) => pingsBench(engine, make)),
];
