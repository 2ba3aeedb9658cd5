/** What becomes of a session when its server restarts, crashes, ends a connection, or stops answering. Nothing may hang. */
import assert from "node:assert/strict";
import type { Database } from "../../../src/db/driver.ts";
import { eventually, faultOf, run, within } from "../../suites/database_fixture.ts";
import { SOON_MS } from "../../support/patience.ts";
import { openPostgres, runAll } from "../../support/postgres_database.ts";
import {
  ADMIN,
  adminClient,
  ownPostgres,
  removePostgres,
  startPostgres,
  stopPostgres,
} from "../../support/postgres_server.ts";

const server = await ownPostgres(18);
const ENDLESS = "SELECT count(*) FROM (SELECT generate_series(1, 9000000000000000)) AS endless";
const ENDLESS_ROWS = "SELECT generate_series(1, 9000000000000000) AS n";

async function pidOf(database: Database): Promise<number> {
  return Number((await runAll(database, "SELECT pg_backend_pid()")).rows[0]?.[0]);
}

/** Sessions of ours, beside the asking one, that run a statement. */
async function busySessions(): Promise<number> {
  const admin = adminClient(server);
  const [row] = await admin`
    SELECT count(*)::int AS busy FROM pg_stat_activity WHERE application_name = 'saber' AND state = 'active'`;
  await admin.end();
  return Number(row?.busy);
}

for (const [ending, signal] of [["crashes", "SIGQUIT"], ["is restarted", "SIGINT"]] as const) {
  Deno.test(`a server that ${ending} under a statement, under rows and under an idle connection`, async () => {
    const database = await openPostgres(server, { login: ADMIN });
    const { batches } = await run(database, ENDLESS_ROWS);
    const running = faultOf(runAll(database, ENDLESS));
    await eventually(SOON_MS, async () => await busySessions() === 2);
    const idle = await pidOf(database);
    const reading = faultOf((async () => {
      for await (const _ of batches);
    })());

    await stopPostgres(server, signal);
    for (const fault of await within(SOON_MS, Promise.all([running, reading]))) {
      assert.equal(fault.code, "unreachable");
      assert.match(fault.message, /^Cannot run the statement: .+\. .+\.$/);
    }
    const down = await within(SOON_MS, faultOf(runAll(database, "SELECT 1")));
    assert.equal(down.code, "unreachable");
    assert.match(down.message, /^Cannot connect .+\. .+\.$/);

    await startPostgres(server);
    const back = await within(SOON_MS, pidOf(database));
    assert.notEqual(back, idle);
    assert.deepEqual(
      await within(SOON_MS, database.tables({ pattern: "customers", signal: AbortSignal.timeout(SOON_MS) }))
        .then((tables) => tables.map(({ name }) => name)),
      ["customers"],
    );
    await database.close();
  });
}

Deno.test("a restart between two statements is not noticed", async () => {
  const database = await openPostgres(server, { login: ADMIN });
  await pidOf(database);
  for (const signal of ["SIGQUIT", "SIGINT"] as const) {
    await stopPostgres(server, signal);
    await startPostgres(server);
    assert.deepEqual((await within(SOON_MS, runAll(database, "SELECT 1"))).rows, [[1]]);
  }
  await database.close();
});

Deno.test("a connection is used again, and one that the server ended is replaced unseen", async () => {
  const database = await openPostgres(server, { login: ADMIN });
  const first = await pidOf(database);
  assert.equal(await pidOf(database), first);
  const admin = adminClient(server);
  await admin`SELECT pg_terminate_backend(${first})`;
  await admin.end();
  assert.notEqual(await pidOf(database), first);
  await database.close();
});

Deno.test("a server that stops answering in a session ends in the timeout, and is left at an abort and at the end", async () => {
  const database = await openPostgres(server, { login: ADMIN, timeoutMs: 5000 });
  const frozen: number[] = [];
  const freeze = async () => {
    const pid = await pidOf(database);
    Deno.kill(pid, "SIGSTOP");
    frozen.push(pid);
  };
  try {
    await freeze();
    assert.equal((await within(SOON_MS, faultOf(runAll(database, "SELECT 1")))).code, "timeout");
    await freeze();
    const stop = new AbortController();
    const waiting = faultOf(runAll(database, "SELECT 2", { signal: stop.signal }));
    stop.abort();
    assert.equal((await within(SOON_MS, waiting)).code, "cancelled");
    assert.deepEqual((await within(SOON_MS, runAll(database, "SELECT 3"))).rows, [[3]]);
    await freeze();
    const last = faultOf(runAll(database, "SELECT 4"));
    await within(SOON_MS, database.close());
    assert.match((await within(SOON_MS, last)).code, /^(?:closed|timeout)$/);
  } finally {
    for (const pid of frozen) Deno.kill(pid, "SIGCONT");
  }
});

Deno.test("the server of these tests is removed", async () => {
  await removePostgres(server);
});
