/**
 * The list of attacks, each run against a real server as a superuser: through the guard, by the judgement alone, and
 * with nothing but the server's own walls.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { guard } from "../../../src/db/guarded.ts";
import { exists } from "../../support/cached_folder.ts";
import { createDatabase, openPostgres, runAll } from "../../support/postgres_database.ts";
import {
  ADMIN,
  adminClient,
  ownPostgres,
  type PostgresServer,
  type PostgresVersion,
  removePostgres,
} from "../../support/postgres_server.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { type Attack, ATTACKS, VICTIM } from "./attack_list.ts";

const SECRET = "open sesame";
const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

/** What attacks could have changed, beside the file that some would write. */
const STATE = `SELECT ARRAY[
  (SELECT string_agg(plain::text, ',' ORDER BY id) FROM plain),
  (SELECT string_agg(relname, ',' ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
  (SELECT string_agg(oid::text, ',' ORDER BY oid) FROM pg_largeobject_metadata),
  (SELECT string_agg(encode(data, 'hex'), ',' ORDER BY loid, pageno) FROM pg_largeobject),
  (SELECT string_agg(rolname || coalesce(rolpassword, ''), ',' ORDER BY oid) FROM pg_authid),
  (SELECT string_agg(slot_name, ',') FROM pg_replication_slots),
  (SELECT string_agg(roname, ',') FROM pg_replication_origin),
  (SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory'),
  (SELECT count(*)::text FROM pg_db_role_setting),
  (SELECT count(*)::text FROM pg_proc),
  (SELECT count(*)::text FROM pg_collation),
  (SELECT last_value::text FROM counter),
  (SELECT sourcefile FROM pg_settings WHERE name = 'log_statement'),
  (SELECT pg_stat_get_db_stat_reset_time(oid)::text FROM pg_database WHERE datname = current_database())
]::text AS state`;

for (const version of [12, 18] as const) await testOn(version);

async function testOn(version: PostgresVersion): Promise<void> {
  const server = await ownPostgres(version);
  const secret = join(server.folder, "secret");
  await Deno.writeTextFile(secret, SECRET);
  await Deno.chmod(secret, 0o644);
  const { name } = await createDatabase(server, VICTIM);
  const attacks = ATTACKS.filter(({ since }) => since <= version).map((each) => aim(each, server, { name }));
  const open = () => openPostgres(server, { login: ADMIN, database: name, ...OPTIONS });

  Deno.test(`PostgreSQL ${version}: the judgement alone refuses each attack`, async () => {
    const database = await open();
    for (const { sql } of attacks) {
      const fault = await faultOf(database.dialect.judge?.(sql, "read") ?? Promise.resolve());
      assert.match(fault.message, /^Cannot run the statement: .+\.$/);
      assert.match(
        fault.code,
        /^(forbidden_function|not_read_only|multiple_statements|permission_denied|not_understood)$/,
        sql,
      );
    }
    await database.close();
  });

  Deno.test(`PostgreSQL ${version}: the guard refuses each attack, and nothing is changed, read or reached`, async () => {
    const database = guard(await open(), OPTIONS);
    const before = await state(server, name);
    for (const { sql } of attacks) {
      const fault = await faultOf(runAll(database, sql));
      assert.ok(!Deno.inspect(fault).includes(SECRET), sql);
    }
    await database.close();
    assert.equal(await state(server, name), before);
    const log = await Deno.readTextFile(join(server.folder, "log"));
    assert.match(log, /connection authorized: user=postgres/);
    assert.doesNotMatch(log, /connection authorized: user=local/, "an attack reached a server");
  });

  Deno.test(`PostgreSQL ${version}: what the server's own walls stop`, async () => {
    const database = await open();
    for (const { sql, alone, stoppedSince } of attacks) {
      const outcome = await runAll(database, sql).then(() => "runs", () => "stopped");
      const expected = alone === "runs" || (alone === "stopped" && stoppedSince > version)
        ? "runs"
        : "stopped";
      assert.equal(outcome, expected, sql);
    }
    await database.close();
  });

  Deno.test(`PostgreSQL ${version}: the server of the attacks is removed`, async () => {
    await removePostgres(server);
  });
}

function aim(attack: Attack, server: PostgresServer, { name }: { name: string }): Attack {
  const dsn = `host=${server.folder} port=${server.port} dbname=${name} user=local password=local`;
  const sql = attack.sql.replaceAll(":secret", join(server.folder, "secret"))
    .replaceAll(":out", join(server.folder, "out")).replaceAll(":dsn", dsn).replaceAll(":lo", "4242");
  return { ...attack, sql };
}

async function state(server: PostgresServer, database: string): Promise<string> {
  const admin = adminClient(server, database);
  const [row] = await admin.unsafe(STATE);
  await admin.end();
  return `${row?.state} ${await exists(join(server.folder, "out"))}`;
}

Deno.test("the list of attacks is long, and no statement stands in it twice", () => {
  const statements = ATTACKS.map(({ sql }) => sql);
  assert.ok(statements.length >= 250);
  assert.equal(new Set(statements).size, statements.length);
});
