/** What the judgement lets through, and how it copes with odd texts and a changing server. */
import assert from "node:assert/strict";
import { guard } from "../../../src/db/guarded.ts";
import type { Access, Database } from "../../../src/db/driver.ts";
import { createDatabase, openPostgres, runAll } from "../../support/postgres_database.ts";
import { ADMIN, adminClient, sharedPostgres } from "../../support/postgres_server.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { HARMLESS, SETUP } from "./harmless_list.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

for (const version of [12, 18] as const) {
  const server = await sharedPostgres(version);

  Deno.test(`PostgreSQL ${version}: honest statements run behind the guard`, async (test) => {
    const admin = adminClient(server);
    await admin.unsafe(
      "DROP SCHEMA IF EXISTS honest CASCADE; CREATE SCHEMA honest; SET search_path = honest, public",
    );
    for (const statement of SETUP) await admin.unsafe(statement);
    await admin.unsafe("ALTER ROLE postgres IN DATABASE shop SET search_path = honest, public");
    const database = guard(await openPostgres(server, { login: ADMIN }), OPTIONS);
    for (const { sql, since } of HARMLESS) {
      if (since > version) continue;
      await test.step(sql.slice(0, 80), async () => {
        await runAll(database, sql);
      });
    }
    await database.close();
    await admin.unsafe("ALTER ROLE postgres IN DATABASE shop RESET search_path");
    await admin.unsafe("DROP SCHEMA honest CASCADE");
    await admin.end();
  });
}

const shared = await sharedPostgres(18);

/** Opens a new database for as long as `use` runs. */
async function withDatabase(
  { access = "read", setup = [] }: { access?: Access; setup?: readonly string[] },
  use: (database: Database, name: string) => Promise<void>,
): Promise<void> {
  const { name, drop } = await createDatabase(shared, setup);
  const database = await openPostgres(shared, { login: ADMIN, database: name, access });
  await use(database, name);
  await database.close();
  await drop();
}

Deno.test("a text too deep for the parser is refused, again and again, and what follows is judged as ever", async () => {
  await withDatabase({}, async (database) => {
    const { dialect } = database;
    const deep = [`SELECT ${"1+".repeat(30_000)}1`, `SELECT ${"(".repeat(30_000)}1${")".repeat(30_000)}`];
    for (let round = 0; round < 40; round++) {
      const { code } = await faultOf(dialect.judge?.(deep[round % 2] ?? "", "read") ?? Promise.resolve());
      assert.match(code, /^(not_understood|syntax_error)$/);
      await dialect.judge?.("SELECT count(*) FROM pg_class WHERE oid IN (1, 2)", "read");
      const pending = dialect.judge?.("SELECT pg_sleep(1)", "read") ?? Promise.resolve();
      assert.equal((await faultOf(pending)).code, "forbidden_function");
    }
    const long = `SELECT 1 WHERE 1 IN (${Array.from({ length: 200_000 }, (_, i) => i).join(", ")})`;
    await dialect.judge?.(long, "read");
  });
});

Deno.test("a syntax error tells the parser's words and the place, in characters", async () => {
  await withDatabase({}, async ({ dialect }) => {
    const { code, server } = await faultOf(
      dialect.judge?.("SELECT 'ü€😀', FROM x", "read") ?? Promise.resolve(),
    );
    assert.equal(code, "syntax_error");
    assert.deepEqual(server, { message: 'syntax error at or near "FROM"', state: "42601", position: 15 });
    const early = await faultOf(dialect.judge?.("SELEC 1", "read") ?? Promise.resolve());
    assert.equal(early.server?.position, 1);
  });
});

Deno.test("functions of users are judged by what the catalog calls them", async () => {
  const setup = [
    "CREATE FUNCTION calm(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1'",
    "CREATE FUNCTION wild(int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION wild(int, int) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1'",
    "CREATE FUNCTION round(numeric, text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA hidden",
    "CREATE FUNCTION hidden.calm(int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
  ];
  await withDatabase({ setup }, async ({ dialect }) => {
    const judge = (sql: string) => dialect.judge?.(sql, "read") ?? Promise.resolve();
    for (const sql of ["calm(1)", "public.calm(1)", "wild(1, 2)", "round(1.5)", "pg_catalog.round(1.5, 1)"]) {
      await judge(`SELECT ${sql}`);
    }
    const messages = {
      "wild(1)": /"wild" is not allowed, in the schema public it is declared VOLATILE/,
      "hidden.calm(1)": /"calm" is not allowed, in the schema hidden it is declared VOLATILE/,
      "round(1.5, 'x')": /To use PostgreSQL's own, write pg_catalog.round\.$/,
      "nothing(1)": /this server does not know it/,
      "hidden.wild(1)": /this server does not know it/,
      "pg_catalog.pg_ls_dir('.')": /"pg_ls_dir" is not allowed/,
    };
    for (const [sql, message] of Object.entries(messages)) {
      const fault = await faultOf(judge(`SELECT ${sql}`));
      assert.deepEqual([fault.code, sql], ["forbidden_function", sql]);
      assert.match(fault.message, message);
    }
  });
});

const WRITES = {
  allowed: [
    "INSERT INTO plain VALUES (4, 'four') RETURNING id",
    "INSERT INTO plain SELECT 5, lower('FIVE') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
    "UPDATE plain SET (id, name) = (id, 'x') WHERE id = 1",
    "DELETE FROM plain USING plain AS other WHERE plain.id = other.id AND plain.id = 2",
    "WITH gone AS (DELETE FROM plain WHERE id = 3 RETURNING *) SELECT * FROM gone",
    "CREATE TABLE made (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, t text DEFAULT now()::text, CHECK (id > 0))",
    "CREATE TABLE parts (a int, b int REFERENCES plain (id)) PARTITION BY RANGE (a)",
    "CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (1) TO (10)",
    "CREATE TEMP TABLE copied (LIKE plain INCLUDING ALL)",
    "CREATE TABLE copied2 AS SELECT * FROM plain WITH NO DATA",
    "CREATE OR REPLACE VIEW seen AS SELECT id FROM plain",
    "CREATE MATERIALIZED VIEW stored AS SELECT id FROM plain",
    "CREATE UNIQUE INDEX ON plain (lower(name)) WHERE id > 0",
    "ALTER TABLE plain ADD COLUMN more int DEFAULT 1, ALTER name SET NOT NULL",
    "ALTER TABLE plain RENAME COLUMN name TO title",
  ],
  refused: [
    "DROP TABLE plain",
    "TRUNCATE plain",
    "ALTER TABLE plain DROP COLUMN name",
    "ALTER TABLE plain OWNER TO postgres",
    "ALTER TABLE plain ENABLE ROW LEVEL SECURITY",
    "ALTER VIEW seen SET (security_barrier)",
    "ALTER ROLE postgres RENAME TO x",
    "CREATE INDEX CONCURRENTLY i ON plain (id)",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA s",
    "CREATE SEQUENCE s",
    "CREATE EXTENSION hstore",
    "CREATE TABLE x AS EXECUTE p",
    "MERGE INTO plain p USING plain q ON p.id = q.id WHEN MATCHED THEN DELETE",
    "INSERT INTO plain VALUES (nextval('s'), 'x')",
    "INSERT INTO plain SELECT 9, pg_read_file('x')",
    "UPDATE plain SET name = pg_read_file('x') WHERE id = 1",
    "CREATE TABLE x (a text DEFAULT pg_read_file('x'))",
    "CREATE TABLE x (a text CHECK (pg_sleep(1) IS NULL))",
    "CREATE VIEW x AS SELECT * FROM pg_authid",
    "SELECT * INTO x FROM plain",
    "SELECT * FROM plain FOR UPDATE",
    "COPY plain FROM PROGRAM 'true'",
    "EXPLAIN ANALYZE DELETE FROM plain",
    "EXPLAIN DELETE FROM plain",
    "GRANT ALL ON plain TO PUBLIC",
    "VACUUM plain",
    "DO $$ BEGIN END $$",
    "SET work_mem = '1GB'",
    "COMMIT",
  ],
};

Deno.test("a session that writes changes rows and makes tables, and does nothing else", async () => {
  const setup = [
    "CREATE TABLE plain (id int PRIMARY KEY, name text)",
    "INSERT INTO plain VALUES (1, 'a'), (2, 'b'), (3, 'c')",
  ];
  await withDatabase({ access: "write", setup }, async (database) => {
    const guarded = guard(database, { access: "write", timeoutMs: 10_000 });
    for (const sql of WRITES.refused) {
      await faultOf(database.dialect.judge?.(sql, "write") ?? Promise.resolve());
      await faultOf(runAll(guarded, sql));
    }
    for (const sql of WRITES.allowed) await runAll(guarded, sql);
    const { rows } = await runAll(guarded, "SELECT id, title FROM plain ORDER BY id");
    assert.deepEqual(rows, [[1, "x"], [4, "four"], [5, "five"]]);
  });
});

Deno.test("in a session that writes, a statement that only reads runs in a read-only transaction", async () => {
  await withDatabase({ access: "write" }, async (database) => {
    const sql = "SHOW transaction_read_only";
    assert.deepEqual((await runAll(database, sql)).rows, [["on"]]);
  });
});
