/**
 * The list of attacks, each run against a real server as a superuser: through the guard, by the judgement alone, and
 * with nothing but the server's own walls.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { guard } from "../../../src/db/guarded.ts";
import { createDatabase, openPostgres, runAll } from "../../support/postgres_database.ts";
import { ADMIN, ownPostgres, type PostgresVersion, removePostgres } from "../../support/postgres_server.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { ATTACKS, VICTIM } from "./attack_list.ts";
import { aimed, victimState } from "./victim_state.ts";

const SECRET = "open sesame";
const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

for (const version of [12, 18] as const) await testOn(version);

async function testOn(version: PostgresVersion): Promise<void> {
  const server = await ownPostgres(version);
  const secret = join(server.folder, "secret");
  await Deno.writeTextFile(secret, SECRET);
  await Deno.chmod(secret, 0o644);
  const { name } = await createDatabase(server, VICTIM);
  const attacks = ATTACKS.filter(({ since }) => since <= version).map((each) => ({
    ...each,
    sql: aimed(each.sql, server, name),
  }));
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
    const before = await victimState(server, name);
    for (const { sql } of attacks) {
      const fault = await faultOf(runAll(database, sql));
      assert.ok(!Deno.inspect(fault).includes(SECRET), sql);
    }
    await database.close();
    assert.equal(await victimState(server, name), before);
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

Deno.test("the list of attacks is long, and no statement stands in it twice", () => {
  const statements = ATTACKS.map(({ sql }) => sql);
  assert.ok(statements.length >= 250);
  assert.equal(new Set(statements).size, statements.length);
});
