import assert from "node:assert/strict";
import { join } from "node:path";
import { ask, httpCall, startCall } from "../../../support/http_calls.ts";
import { HttpProgram } from "../../../support/http_program.ts";
import { READER as MARIADB_READER, sharedMariadb } from "../../../support/mariadb_server.ts";
import { SOON_MS } from "../../../support/patience.ts";
import { READER, sharedPostgres } from "../../../support/postgres_server.ts";
import { shop } from "../../../support/shop.ts";

/** 21,000 orders three times over: hours, in every engine. */
const LONG = "SELECT count(*) AS n FROM orders a, orders b, orders c WHERE a.id + b.id + c.id < 0";

const postgres = await sharedPostgres(18);
const mariadb = await sharedMariadb();
const address = ({ user, password }: { user: string; password: string }, port: number) =>
  `${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/shop`;

const DATABASES: { readonly [engine: string]: string } = {
  SQLite: await shop("sqlite"),
  DuckDB: await shop("duckdb"),
  CSV: join(await shop("csv"), "orders.csv"),
  PostgreSQL: `postgres://${address(READER, postgres.port)}?sslmode=disable`,
  MariaDB: `mysql://${address(MARIADB_READER, mariadb.port)}`,
};

for (const [engine, database] of Object.entries(DATABASES)) {
  Deno.test(`${engine}: when a client goes, its statement ends, and the next begins`, async () => {
    await using program = new HttpProgram(database, "--port", "0");
    const port = Number((await program.url()).port);
    const one = httpCall("modern", "SELECT 1 AS n");
    const before = await ask(port, one);
    for (const era of ["legacy", "modern"] as const) {
      (await startCall(port, httpCall(era, LONG))).close();
      const begun = performance.now();
      const { result } = await ask(port, one);
      assert.ok(performance.now() - begun < SOON_MS, `${era} era: ${performance.now() - begun} ms`);
      assert.deepEqual(result, before.result);
      assert.match(JSON.stringify(result), /"results":\[\{"n":1\}\]/);
    }
  });
}
