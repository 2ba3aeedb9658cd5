/**
 * The lists of attacks and of honest statements on real servers, as an MCP client's calls: each attack is refused and
 * nothing is changed, read or reached, although the user may do everything; each honest statement runs.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import * as mysql from "../../db/mysql/attack_list.ts";
import { RUN } from "../../db/mysql/harmless_list.ts";
import * as postgres from "../../db/postgres/attack_list.ts";
import * as honestPostgres from "../../db/postgres/harmless_list.ts";
import { aimed, victimState } from "../../db/postgres/victim_state.ts";
import {
  ADMIN as MARIADB_ADMIN,
  AdminClient,
  ownMariadb,
  READER,
  removeMariadb,
  sharedMariadb,
} from "../../support/mariadb_server.ts";
import { FORBIDDEN, refuses, runs } from "../../support/mcp_statements.ts";
import { createDatabase } from "../../support/postgres_database.ts";
import {
  ADMIN,
  adminClient,
  ownPostgres,
  removePostgres,
  sharedPostgres,
} from "../../support/postgres_server.ts";

const shared = await sharedPostgres(18);
const mariadb = await sharedMariadb();

function address(scheme: string, { user, password, port, database }: {
  readonly user: string;
  readonly password: string;
  readonly port: number;
  readonly database: string;
}): string {
  const option = scheme === "postgres" ? "?sslmode=disable" : "";
  return `${scheme}://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}${option}`;
}

Deno.test("PostgreSQL refuses", async () => {
  const server = await ownPostgres(18);
  await Deno.writeTextFile(join(server.folder, "secret"), FORBIDDEN);
  await Deno.chmod(join(server.folder, "secret"), 0o644);
  const { name } = await createDatabase(server, postgres.VICTIM);
  const before = await victimState(server, name);
  const attacks = postgres.ATTACKS.filter(({ since }) => since <= 18).map(({ sql }) =>
    aimed(sql, server, name)
  );
  await refuses([address("postgres", { ...ADMIN, port: server.port, database: name })], attacks);
  assert.equal(await victimState(server, name), before);
  const log = await Deno.readTextFile(join(server.folder, "log"));
  assert.doesNotMatch(log, /connection authorized: user=local/, "an attack reached a server");
  await removePostgres(server);
});

Deno.test("PostgreSQL runs", async () => {
  const user = "mcp_guest";
  const admin = adminClient(shared);
  await admin.unsafe("DROP SCHEMA IF EXISTS honest CASCADE; CREATE SCHEMA honest");
  await admin.unsafe("SET search_path = honest, public");
  for (const statement of honestPostgres.SETUP) await admin.unsafe(statement);
  await admin.unsafe(`DROP ROLE IF EXISTS ${user}; CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'guest'`);
  await admin.unsafe(`ALTER ROLE ${user} IN DATABASE shop SET search_path = honest, public`);
  const database = address("postgres", { user, password: "guest", port: shared.port, database: "shop" });
  await runs([database], honestPostgres.HARMLESS.map(({ sql }) => sql));
  await admin.unsafe(`DROP SCHEMA honest CASCADE; DROP ROLE ${user}`);
  await admin.end();
});

Deno.test("MariaDB refuses", async () => {
  const server = await ownMariadb();
  const admin = new AdminClient(server, "mysql");
  await admin.run("CREATE DATABASE attacked", "USE attacked", ...mysql.ATTACKED);
  const state = async () => ({
    rows: await admin.rows("SELECT * FROM t"),
    tables: await admin.rows(
      "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES ORDER BY 1, 2",
    ),
    users: await admin.rows("SELECT user, host, priv FROM mysql.global_priv ORDER BY 1, 2"),
    routines: await admin.rows(
      "SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES ORDER BY 1, 2",
    ),
    settings: await admin.rows("SELECT @@global.max_connections, @@global.read_only, @@global.sql_mode"),
    files: Array.from(Deno.readDirSync(join(server.folder, "data")), ({ name }) => name)
      .filter((name) => name.startsWith("stolen")),
  });
  const before = await state();
  const attacks = mysql.ATTACKS.map(({ sql }, index) =>
    sql.replaceAll("'FILE'", `'${join(server.folder, "data", `stolen${index}`)}'`)
  );
  await refuses([address("mysql", { ...MARIADB_ADMIN, port: server.port, database: "attacked" })], attacks);
  assert.deepEqual(await state(), before);
  admin.end();
  await removeMariadb(server);
});

Deno.test("MariaDB runs", async () => {
  await runs([address("mysql", { ...READER, port: mariadb.port, database: "shop" })], RUN);
});
