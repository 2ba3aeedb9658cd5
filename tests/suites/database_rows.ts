/** The part of the database suite about columns, cells and batches. */
import assert from "node:assert/strict";
import { type EngineFixture, openPlain, readRows, rows, run } from "./database_fixture.ts";

export function rowTests(fixture: EngineFixture): void {
  const { name, sql, quote } = fixture;

  Deno.test(`${name}: every kind of value arrives exactly`, async (test) => {
    await using opened = await openPlain(fixture);
    for (const { sql, cell, type } of fixture.values) {
      await test.step(sql.slice(0, 60), async () => {
        const cursor = await run(opened.database, `SELECT ${sql} AS v`);
        assert.deepEqual(await readRows(cursor), [[cell]]);
        if (type !== undefined) assert.deepEqual(cursor.columns, [{ name: "v", type }]);
      });
    }
  });

  Deno.test(`${name}: all values at once, in one row and in many`, async () => {
    await using opened = await openPlain(fixture);
    const row = fixture.values.map(({ cell }) => cell);
    const list = fixture.values.map((value, index) => `${value.sql} AS v${index}`).join(", ");
    const found = await rows(opened.database, `SELECT ${list} FROM (${sql.numbers(700)}) AS numbers`);
    assert.equal(found.length, 700);
    for (const each of [found[0], found[350], found[699]]) assert.deepEqual(each, row);
  });

  Deno.test(`${name}: column names are kept as they are`, async () => {
    await using opened = await openPlain(fixture);
    const names = ["a", "a", "a b", 'q"uote', "__proto__", "größe", ...fixture.emptyNames ? [""] : []];
    const list = names.map((each, index) => `${index} AS ${quote(each)}`).join(", ");
    const cursor = await run(opened.database, `SELECT ${list}`);
    assert.deepEqual(cursor.columns.map((column) => column.name), names);
    assert.deepEqual((await readRows(cursor))[0]?.map(Number), names.map((_, index) => index));
  });

  Deno.test(`${name}: no rows still have columns`, async () => {
    await using opened = await openPlain(fixture);
    const cursor = await run(opened.database, "SELECT id, name FROM plain WHERE id > 3");
    assert.deepEqual(cursor.columns.map((column) => column.name), ["id", "name"]);
    assert.deepEqual(await readRows(cursor), []);
  });

  Deno.test(`${name}: a long result comes whole, in order and in batches`, async () => {
    await using opened = await openPlain(fixture);
    const { batches } = await run(opened.database, sql.numbers(100_000));
    let expected = 1;
    let count = 0;
    for await (const batch of batches) {
      assert.ok(batch.length > 0, "an empty batch");
      for (const [n] of batch) assert.equal(Number(n), expected++);
      count++;
    }
    assert.equal(expected, 100_001);
    assert.ok(count > 1, "all rows came at once");
  });

  Deno.test(`${name}: text outside ASCII is not bent in the database`, async () => {
    await using opened = await openPlain(fixture);
    const query = "SELECT replace(name, 'one', 'ü€😀') FROM plain WHERE id = 1";
    assert.deepEqual(await rows(opened.database, query), [["ü€😀"]]);
  });
}
