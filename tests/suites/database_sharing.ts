/** The part of the database suite about statements that overlap. */
import assert from "node:assert/strict";
import { type EngineFixture, faultOf, openPlain, readRows, rows, run } from "./database_fixture.ts";

export function sharingTests(fixture: EngineFixture): void {
  const { name, sql } = fixture;

  Deno.test(`${name}: statements that overlap each get their own answer`, async () => {
    await using opened = await openPlain(fixture);
    const counts = Array.from({ length: 20 }, (_, index) => index * 100 + 1);
    const found = await Promise.all(counts.map((count) => rows(opened.database, sql.numbers(count))));
    assert.deepEqual(found.map((each) => each.length), counts);
    for (const each of found) {
      assert.deepEqual(
        each.map(([n]) => Number(n)),
        each.map((_, index) => index + 1),
      );
    }
  });

  Deno.test(`${name}: a statement runs while the rows of another are being read`, async () => {
    await using opened = await openPlain(fixture);
    const long = await run(opened.database, sql.numbers(20_000));
    let count = 0;
    for await (const batch of long.batches) {
      if (count === 0) assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
      count += batch.length;
    }
    assert.equal(count, 20_000);
  });

  Deno.test(`${name}: aborting one statement leaves the others alone`, async () => {
    await using opened = await openPlain(fixture);
    const stop = new AbortController();
    const reading = await run(opened.database, sql.numbers(50_000));
    const running = faultOf(run(opened.database, sql.endless, stop.signal));
    const others = Array.from({ length: 5 }, () => rows(opened.database, sql.numbers(5000)));
    setTimeout(() => stop.abort(), 50);
    assert.equal((await running).code, "cancelled");
    assert.equal((await readRows(reading)).length, 50_000);
    assert.deepEqual((await Promise.all(others)).map((each) => each.length), Array(5).fill(5000));
  });

  Deno.test(`${name}: a failing statement leaves the others alone`, async () => {
    await using opened = await openPlain(fixture);
    const work = Array.from(
      { length: 12 },
      (_, index) =>
        index % 2 === 0
          ? rows(opened.database, "SELECT name FROM plain ORDER BY id")
          : faultOf(run(opened.database, "SELECT missing FROM plain")),
    );
    const outcomes = await Promise.all(work);
    for (const [index, outcome] of outcomes.entries()) {
      if (index % 2 === 0) assert.deepEqual(outcome, [["one"], ["two"], ["three"]]);
      else assert.equal("code" in outcome ? outcome.code : "", "unknown_column");
    }
  });
}
