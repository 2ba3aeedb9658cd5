/** The part of the database suite about abort, timeout, early stop and close. */
import assert from "node:assert/strict";
import { PATIENCE_MS, SOON_MS } from "../support/patience.ts";
import { type EngineFixture, eventually, faultOf, openPlain, rows, run, within } from "./database_fixture.ts";

/** A statement timeout that a busy machine keeps for short statements, in milliseconds. */
const LIMIT = 3000;

export function stoppingTests(fixture: EngineFixture): void {
  const { name, sql } = fixture;
  const idle = async (opened: Awaited<ReturnType<typeof openPlain>>) =>
    await eventually(SOON_MS, async () => !await fixture.isBusy(opened.place));

  Deno.test(`${name}: an abort stops a statement that runs, and the engine's work`, async () => {
    await using opened = await openPlain(fixture);
    const stop = new AbortController();
    const running = faultOf(run(opened.database, sql.endless, stop.signal));
    await eventually(PATIENCE_MS, async () => await fixture.isBusy(opened.place));
    stop.abort();
    assert.equal((await within(SOON_MS, running)).code, "cancelled");
    await idle(opened);
    assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
  });

  Deno.test(`${name}: an abort stops a statement between batches`, async () => {
    await using opened = await openPlain(fixture);
    const stop = new AbortController();
    const { batches } = await run(opened.database, sql.endlessRows, stop.signal);
    let count = 0;
    const fault = await faultOf((async () => {
      for await (const _ of batches) if (++count === 3) stop.abort();
    })());
    assert.equal(fault.code, "cancelled");
    assert.ok(count >= 3 && count < 1000, `${count} batches came`);
    await idle(opened);
    assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
  });

  Deno.test(`${name}: an abort while nobody reads stops the statement too`, async () => {
    await using opened = await openPlain(fixture);
    const stop = new AbortController();
    const { batches } = await run(opened.database, sql.endlessRows, stop.signal);
    stop.abort();
    await idle(opened);
    assert.equal((await faultOf(Array.fromAsync(batches))).code, "cancelled");
  });

  Deno.test(`${name}: a signal that was aborted before starts nothing`, async () => {
    await using opened = await openPlain(fixture);
    const fault = await faultOf(run(opened.database, sql.endless, AbortSignal.abort()));
    assert.equal(fault.code, "cancelled");
    await idle(opened);
    assert.equal((await faultOf(opened.database.tables({ signal: AbortSignal.abort() }))).code, "cancelled");
  });

  Deno.test(`${name}: an abort after the last row changes nothing`, async () => {
    await using opened = await openPlain(fixture);
    const stop = new AbortController();
    assert.equal((await rows(opened.database, "SELECT id FROM plain", stop.signal)).length, 3);
    stop.abort();
    assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
  });

  Deno.test(`${name}: twenty aborts in a row, each followed by a query`, async () => {
    await using opened = await openPlain(fixture);
    for (let round = 0; round < 20; round++) {
      const stop = new AbortController();
      const running = faultOf(run(opened.database, sql.endless, stop.signal));
      await new Promise((resolve) => setTimeout(resolve, round));
      stop.abort();
      assert.equal((await running).code, "cancelled");
      assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
    }
    await idle(opened);
  });

  Deno.test(`${name}: a statement without rows in time ends in a timeout`, async () => {
    await using opened = await openPlain(fixture, { timeoutMs: LIMIT });
    const fault = await within(LIMIT + SOON_MS, faultOf(run(opened.database, sql.endless)));
    assert.equal(fault.code, "timeout");
    await idle(opened);
    assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
  });

  Deno.test(`${name}: the timeout ends with the first rows`, async () => {
    await using opened = await openPlain(fixture, { timeoutMs: LIMIT });
    const { batches } = await run(opened.database, sql.endlessRows);
    let count = 0;
    for await (const _ of batches) {
      if (count++ === 0) await new Promise((resolve) => setTimeout(resolve, LIMIT + 200));
      if (count === 3) break;
    }
    assert.equal(count, 3);
  });

  Deno.test(`${name}: leaving the rows early stops the statement`, async () => {
    await using opened = await openPlain(fixture);
    for (let round = 0; round < 10; round++) {
      const { batches } = await run(opened.database, sql.endlessRows);
      for await (const _ of batches) break;
      assert.equal((await within(SOON_MS, rows(opened.database, "SELECT id FROM plain"))).length, 3);
    }
    await idle(opened);
  });

  Deno.test(`${name}: a cursor that nobody reads can be closed, and closed again`, async () => {
    await using opened = await openPlain(fixture);
    const cursor = await run(opened.database, sql.endlessRows);
    await within(SOON_MS, cursor.close());
    await cursor.close();
    await idle(opened);
    assert.deepEqual(await Array.fromAsync(cursor.batches), []);
  });

  Deno.test(`${name}: closing ends a statement that runs, and takes at most a second`, async () => {
    await using opened = await openPlain(fixture);
    const running = faultOf(run(opened.database, sql.endless));
    const reading = await run(opened.database, sql.endlessRows);
    await eventually(PATIENCE_MS, async () => await fixture.isBusy(opened.place));
    await within(SOON_MS, opened.database.close());
    assert.equal((await running).code, "closed");
    assert.equal((await faultOf(Array.fromAsync(reading.batches))).code, "closed");
    await idle(opened);
    assert.equal((await faultOf(run(opened.database, "SELECT 1"))).code, "closed");
    await opened.database.close();
  });
}
