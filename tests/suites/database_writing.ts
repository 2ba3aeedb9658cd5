/** The part of the database suite about statements that change something. */
import assert from "node:assert/strict";
import { guard } from "../../src/db/guarded.ts";
import { type EngineFixture, faultOf, openPlain, readRows, rows, run } from "./database_fixture.ts";

const ALL = "SELECT id, name FROM plain ORDER BY id";

export function writingTests(fixture: EngineFixture): void {
  const { name } = fixture;

  Deno.test(`${name}: nothing is written under access "read"`, async (test) => {
    await using opened = await openPlain(fixture);
    const before = await rows(opened.database, ALL);
    const tables = await opened.database.tables({ signal: AbortSignal.timeout(10_000) });
    for (const sql of fixture.writes) {
      await test.step(sql.slice(0, 60), async () => {
        const fault = await faultOf((async () => await readRows(await run(opened.database, sql)))());
        assert.notEqual(fault.code, "internal");
        assert.deepEqual(await rows(opened.database, ALL), before);
        assert.deepEqual(await opened.database.tables({ signal: AbortSignal.timeout(10_000) }), tables);
      });
    }
  });

  Deno.test(`${name}: changes are kept and counted under access "write"`, async () => {
    await using opened = await openPlain(fixture, { access: "write" });
    const affected = async (sql: string) => {
      const cursor = await run(opened.database, sql);
      await readRows(cursor);
      return cursor.affected;
    };
    assert.equal(await affected("INSERT INTO plain VALUES (4, 'four'), (5, 'five')"), 2);
    assert.equal(await affected("UPDATE plain SET name = 'x' WHERE id >= 4"), 2);
    assert.equal(await affected("UPDATE plain SET name = 'x' WHERE id > 100"), 0);
    assert.equal(await affected("DELETE FROM plain WHERE id = 1"), 1);
    assert.equal(await affected("SELECT id FROM plain"), undefined);
    assert.deepEqual(await rows(opened.database, ALL), [[2, "two"], [3, "three"], [4, "x"], [5, "x"]]);
  });

  Deno.test(`${name}: the rows of a change are counted beforehand, and nothing is changed by it`, async () => {
    await using opened = await openPlain(fixture, { access: "write" });
    const guarded = guard(opened.database, { access: "write", timeoutMs: 10_000 });
    const { signal } = new AbortController();
    const touched = async (sql: string) => {
      const found = await guarded.touches?.({ sql, signal });
      return found && [found.table, found.rows];
    };
    assert.deepEqual(await touched("UPDATE plain SET name = 'x' WHERE id >= 2"), ["plain", 2]);
    assert.deepEqual(await touched("DELETE FROM plain AS p WHERE p.name LIKE 't%'"), ["plain", 2]);
    assert.deepEqual(await touched("INSERT INTO plain SELECT id + 10, name FROM plain"), ["plain", 3]);
    assert.deepEqual(await touched("INSERT INTO plain VALUES (4, 'four'), (5, 'five')"), ["plain", 2]);
    assert.deepEqual(await touched("DELETE FROM absent WHERE id = 1"), ["absent", undefined]);
    assert.equal(await touched("SELECT id FROM plain"), undefined);
    assert.equal(await touched("DELETE FROM plain WHERE id = (1"), undefined);
    assert.deepEqual(await rows(opened.database, ALL), [[1, "one"], [2, "two"], [3, "three"]]);
  });

  Deno.test(`${name}: a failing change is undone as a whole`, async () => {
    await using opened = await openPlain(fixture, { access: "write" });
    const fault = await faultOf(run(opened.database, "INSERT INTO plain VALUES (9, 'nine'), (1, 'again')"));
    assert.equal(fault.code, "constraint");
    assert.equal((await rows(opened.database, ALL)).length, 3);
  });

  if (!fixture.returning) return;
  Deno.test(`${name}: RETURNING gives rows and a count`, async () => {
    await using opened = await openPlain(fixture, { access: "write" });
    const cursor = await run(
      opened.database,
      "INSERT INTO plain VALUES (4, 'four'), (5, 'five') RETURNING id, name",
    );
    assert.deepEqual(await readRows(cursor), [[4, "four"], [5, "five"]]);
    assert.equal(cursor.affected, 2);
    assert.equal((await rows(opened.database, ALL)).length, 5);
  });
}
