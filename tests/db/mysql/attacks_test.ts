/**
 * The attacks on a real server: each is refused by the guard and by the engine's judge alone, and changes nothing; then,
 * unjudged, each does what attack_list.ts says that MariaDB lets it do.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../../src/base/fault.ts";
import type { Access } from "../../../src/db/driver.ts";
import { guard } from "../../../src/db/guarded.ts";
import { AdminClient, ownMariadb, removeMariadb } from "../../support/mariadb_server.ts";
import { ask, openMysql, withMysql } from "../../support/mysql_database.ts";
import { type Attack, ATTACKED, ATTACKS } from "./attack_list.ts";

const server = await ownMariadb();
const target = { database: "attacked" };
const admin = new AdminClient(server, "mysql");
const RESTORED = [
  "DROP USER IF EXISTS made@localhost",
  "DROP DATABASE IF EXISTS attacked",
  "CREATE DATABASE attacked",
  "USE attacked",
  ...ATTACKED,
];
await admin.run(...RESTORED);

/** Everything that an attack could change. */
async function state() {
  const files = await Array.fromAsync(Deno.readDir(join(server.folder, "data")), ({ name }) => name);
  const [rows, tables, users, grants, routines, variables, locks] = await Promise.all([
    admin.rows("SELECT * FROM t").catch(() => "gone"),
    admin.rows(
      "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('attacked', 'shop', 'made')",
    ),
    admin.rows("SELECT user, host FROM mysql.global_priv"),
    admin.rows("SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES"),
    admin.rows("SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'attacked'"),
    admin.rows("SELECT @@global.max_connections, @@global.read_only"),
    admin.rows("SELECT IS_FREE_LOCK('attack'), PREVIOUS VALUE FOR sequence").catch(() => "gone"),
  ]);
  return {
    rows,
    tables,
    users,
    grants,
    routines,
    variables,
    locks,
    files: files.filter((name) => name.startsWith("stolen")),
  };
}

function written({ sql }: Attack, index: number): string {
  return sql.replaceAll("'FILE'", `'${join(server.folder, "data", `stolen${index}`)}'`);
}

async function refusal(work: Promise<unknown>, sql: string): Promise<Fault> {
  const outcome = await work.then(() => undefined, (error: unknown) => error);
  assert(outcome instanceof Fault, `${sql} was not refused: ${outcome}`);
  return outcome;
}

const REFUSALS =
  /^(?:not_read_only|multiple_statements|forbidden_function|permission_denied|not_understood)$/;

Deno.test("there are enough attacks, each only once", () => {
  assert.equal(new Set(ATTACKS.map(({ sql }) => sql)).size, ATTACKS.length);
  assert(ATTACKS.length >= 180, `${ATTACKS.length} attacks`);
});

Deno.test("every attack is refused before anything reaches the server", async () => {
  const options = { access: "read", timeoutMs: 10_000 } as const;
  const database = guard(await openMysql({ server, target, ...options }), options);
  const before = await state();
  try {
    for (const [index, attack] of ATTACKS.entries()) {
      const sql = written(attack, index);
      const fault = await refusal(ask(database, sql), sql);
      assert.match(fault.code, REFUSALS, `${sql}: ${fault.code}`);
      assert.equal(fault.server, undefined, sql);
    }
  } finally {
    await database.close();
  }
  assert.deepEqual(await state(), before);
});

Deno.test("the engine's judge alone refuses every attack", async () => {
  await withMysql({ server, target }, async ({ dialect }) => {
    for (const [index, attack] of ATTACKS.entries()) {
      const sql = written(attack, index);
      const fault = await refusal(dialect.judge?.(sql, "read") ?? Promise.resolve(), sql);
      assert.match(fault.code, REFUSALS, `${sql}: ${fault.code}`);
    }
  });
});

Deno.test("unjudged, each attack does what is known of it", async () => {
  const before = await state();
  const found: Attack[] = [];
  for (const [index, attack] of ATTACKS.entries()) {
    const sql = written(attack, index);
    const database = await openMysql({ server, target, timeoutMs: 5000 });
    const outcome = await ask(database, sql).then(() => "runs" as const, () => "stops" as const);
    await database.close();
    await admin.run("SET GLOBAL max_connections = 50");
    const hasChanged = !isDeepStrictEqual({ ...await state(), files: [] }, before);
    if (hasChanged) await admin.run(...RESTORED);
    found.push({ sql: attack.sql, alone: hasChanged ? "changes" : outcome });
  }
  assert.deepEqual(found.filter(({ alone }, index) => alone !== ATTACKS[index]?.alone), []);
  const { files } = await state();
  assert(files.length > 0, "INTO OUTFILE wrote no files, so the state does not show them");
});

const WRITES: readonly string[] = [
  "INSERT INTO t VALUES (9, LOAD_FILE('/etc/hostname'))",
  "INSERT INTO t SELECT SLEEP(1), 'x'",
  "INSERT INTO t VALUES (9, 'x') ON DUPLICATE KEY UPDATE name = LOAD_FILE('/etc/hostname')",
  "UPDATE t SET name = SLEEP(1) WHERE id = 1",
  "UPDATE t SET name = @a := 'x' WHERE id = 1",
  "DELETE FROM t WHERE id = SLEEP(1)",
  "CREATE TABLE made AS SELECT LOAD_FILE('/etc/hostname') AS f",
  "CREATE TABLE made (a TEXT DEFAULT (LOAD_FILE('/etc/hostname')))",
  "CREATE TABLE made (a INT CHECK (SLEEP(1)))",
  "CREATE TABLE made (a INT, b INT AS (BENCHMARK(5, a)))",
  "CREATE VIEW made AS SELECT SLEEP(1)",
  "CREATE TABLE made (a INT) DATA DIRECTORY = '/var'",
  "CREATE TABLE made (a INT) ENGINE = CONNECT TABLE_TYPE = CSV FILE_NAME = '/etc/passwd'",
  "CREATE TABLE made (a INT) ENGINE=FEDERATED CONNECTION='mysql://x@127.0.0.1/x/t'",
  "CREATE TABLE made (a INT) ENGINE FEDERATED",
  "ALTER TABLE t ADD COLUMN a TEXT DEFAULT (LOAD_FILE('/etc/hostname'))",
  "ALTER TABLE t ENGINE = CSV",
  "DROP TABLE t",
  "TRUNCATE t",
  "CALL change_all()",
  "SET GLOBAL max_connections = 51",
  "GRANT ALL ON *.* TO reader@'%'",
  "CREATE USER made@localhost",
  "LOAD DATA INFILE 'FILE' INTO TABLE t",
  "SELECT * FROM t INTO OUTFILE 'FILE'",
  "SELECT * FROM t FOR UPDATE",
  "BEGIN NOT ATOMIC DELETE FROM t; END",
];

Deno.test("a session that writes may still not reach files, wait, lock or administer", async () => {
  const options = { access: "write", timeoutMs: 10_000 } as const;
  const database = guard(await openMysql({ server, target, ...options }), options);
  const before = await state();
  try {
    for (const sql of WRITES) {
      const fault = await refusal(ask(database, sql), sql);
      assert.match(fault.code, REFUSALS, `${sql}: ${fault.code}`);
      await refusal(database.dialect.judge?.(sql, "write") ?? Promise.resolve(), sql);
    }
  } finally {
    await database.close();
  }
  assert.deepEqual(await state(), before);
});

Deno.test("functions of the database's own pass when the catalogue calls them deterministic and reading", async () => {
  for (const access of ["read", "write"] satisfies Access[]) {
    const options = { access, timeoutMs: 10_000 };
    const database = guard(await openMysql({ server, target, ...options }), options);
    try {
      const { rows } = await ask(database, "SELECT doubled(4), attacked.total(), `Doubled`(1), ABS(-1)");
      assert.deepEqual(rows, [[8, 6, 2, 1]]);
      const fault = await refusal(ask(database, "SELECT doubled(1), undeclared()"), "undeclared");
      assert.equal(fault.code, "forbidden_function");
      assert.match(fault.message, /the function undeclared is not known to be harmless/);
      await refusal(ask(database, "SELECT shop.doubled(1)"), "a function of another database");
    } finally {
      await database.close();
    }
  }
});

Deno.test.afterAll(async () => {
  admin.end();
  await removeMariadb(server);
});
