/**
 * Servers that speak PostgreSQL's protocol and know less of its catalogue. None can be had here, so a real server is asked
 * for things that it does not know, in place of those that such a server would not.
 */
import assert from "node:assert/strict";
import { FunctionCatalog } from "../../../src/db/postgres/function_catalog.ts";
import { Hosts } from "../../../src/db/postgres/hosts.ts";
import { type Ask, reading } from "../../../src/db/postgres/lease.ts";
import { Transactions } from "../../../src/db/postgres/transaction.ts";
import { TypeCatalog } from "../../../src/db/postgres/type_catalog.ts";
import { SessionPool } from "../../../src/db/session_pool.ts";
import { ADMIN, sharedPostgres } from "../../support/postgres_server.ts";
import { faultOf, NEVER } from "../../suites/database_fixture.ts";

const server = await sharedPostgres(18);

/** Asks the server, with each of these words replaced by one that it does not know. */
async function withoutWords(words: readonly string[], use: (ask: Ask) => Promise<void>): Promise<void> {
  const hosts = new Hosts({
    engine: "postgres",
    name: "shop",
    database: "shop",
    hosts: [{ host: "127.0.0.1", port: server.port }],
    ...ADMIN,
    tls: { mode: "disable" },
    excludeSchemas: [],
  });
  const pool = new SessionPool((signal) => hosts.connect(signal));
  const source = { pool, transactions: new Transactions(10_000) };
  await use((query, parameters) => {
    const lesser = words.reduce((text, word) => text.replaceAll(word, `${word}_of_nobody`), query);
    return reading(source, { signal: NEVER, use: (ask) => ask(lesser, parameters) });
  });
  await pool.close();
}

Deno.test("functions are judged by their volatility alone where visibility and operators are not known", async () => {
  for (const word of ["pg_function_is_visible", "pg_operator", "provariadic"]) {
    await withoutWords([word], async (ask) => {
      const { functions } = await new FunctionCatalog(ask).find(["lower", "pg_sleep", "nothing"], ["="]);
      assert.ok(functions.get("lower")?.every(({ isVolatile, isVisible }) => !isVolatile && isVisible), word);
      assert.ok(functions.get("pg_sleep")?.every(({ isVolatile }) => isVolatile));
      assert.deepEqual(functions.get("nothing"), []);
    });
  }
});

Deno.test("without a readable catalogue of functions nothing is allowed", async () => {
  await withoutWords(["pg_proc"], async (ask) => {
    const fault = await faultOf(new FunctionCatalog(ask).find(["lower"], []));
    assert.equal(fault.code, "unknown_relation");
  });
});

Deno.test("types that cannot be looked up are text, and those that every server has are what they are", async () => {
  await withoutWords(["format_type"], async (ask) => {
    const [integer, unknown] = await new TypeCatalog(ask).types([23, 3904]);
    assert.deepEqual([integer?.name, integer?.decode?.("1")], ["integer", 1]);
    assert.deepEqual(unknown, { name: "" });
  });
});

Deno.test("types are remembered", async () => {
  let asked = 0;
  await withoutWords([], async (ask) => {
    const catalog = new TypeCatalog((query, parameters) => (asked++, ask(query, parameters)));
    const first = await catalog.types([3904, 3905]);
    assert.deepEqual(first.map(({ name }) => name), ["int4range", "int4range[]"]);
    await catalog.types([3905, 3904]);
    assert.equal(asked, 1);
  });
});
