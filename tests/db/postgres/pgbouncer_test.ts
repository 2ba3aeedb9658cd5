/** The engine behind a pooler that gives each transaction another connection of the server. */
import assert from "node:assert/strict";
import { guard } from "../../../src/db/guarded.ts";
import { openPostgres, runAll } from "../../support/postgres_database.ts";
import { startPgbouncer, stopPgbouncer } from "../../support/pgbouncer.ts";
import { ADMIN, adminClient, sharedPostgres } from "../../support/postgres_server.ts";
import { faultOf, NEVER } from "../../suites/database_fixture.ts";

const server = await sharedPostgres(18);
const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

Deno.test("everything works through pgbouncer in transaction mode, and leaves nothing behind on its connections", async () => {
  const pooler = await startPgbouncer(server, { connections: 2 });
  const hosts = [{ host: "127.0.0.1", port: pooler.port }];
  const database = guard(
    await openPostgres(server, { login: ADMIN, hosts, tls: { mode: "prefer" } }),
    OPTIONS,
  );

  const asked = Array.from(
    { length: 20 },
    (_, i) => runAll(database, `SELECT ${i}, pg_backend_pid(), upper('x')`),
  );
  const rows = (await Promise.all(asked)).map((result) => result.rows[0] ?? []);
  assert.deepEqual(rows.map(([number]) => number), asked.map((_, i) => i));
  assert.ok(new Set(rows.map(([, pid]) => pid)).size <= 2, "more connections than the pooler has");

  const endless = "SELECT count(*) FROM (SELECT generate_series(1, 9000000000000000)) a";
  const fault = await faultOf(runAll(database, endless, { signal: AbortSignal.timeout(300) }));
  assert.equal(fault.code, "cancelled");
  const busy =
    "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%9000000000000000%'" +
    " AND pid <> pg_backend_pid()";
  assert.deepEqual((await runAll(database, busy)).rows, [[0]]);

  assert.ok((await database.describe({ signal: NEVER })).length > 5);
  const many = "SELECT i, repeat('x', 100) FROM generate_series(1, 50000) i LIMIT 50000";
  assert.equal((await runAll(database, many)).rows.length, 50_000);

  const direct = adminClient({ ...server, port: pooler.port });
  const settings = await direct.unsafe(
    "SELECT name FROM pg_settings WHERE source = 'session' AND name IN ('statement_timeout', 'bytea_output')",
  );
  assert.deepEqual([...settings], []);
  assert.equal((await direct.unsafe("SHOW transaction_read_only"))[0]?.transaction_read_only, "off");
  assert.deepEqual([...await direct.unsafe("SELECT * FROM pg_prepared_statements")], []);
  await direct.end();
  await database.close();
  await stopPgbouncer(pooler);
});
