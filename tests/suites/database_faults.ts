/** The part of the database suite about failures and what they tell. */
import assert from "node:assert/strict";
import { type EngineFixture, faultOf, openPlain, readRows, rows, run } from "./database_fixture.ts";

export function faultTests(fixture: EngineFixture): void {
  const { name, sql } = fixture;

  Deno.test(`${name}: failures have their code, our sentence and the server's words apart`, async (test) => {
    await using opened = await openPlain(fixture);
    for (const { sql, code } of fixture.faults) {
      await test.step(`${code}: ${sql.slice(0, 60)}`, async () => {
        const fault = await faultOf((async () => await readRows(await run(opened.database, sql)))());
        assert.equal(fault.code, code);
        assert.match(fault.message, /^Cannot .+: .+\.$/);
        const words = fault.server?.message ?? "";
        assert.ok(words === "" || !fault.message.includes(words), "the server's words are in the sentence");
        assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
      });
    }
  });

  Deno.test(`${name}: a failure after many rows is told, not taken for their end`, async () => {
    await using opened = await openPlain(fixture);
    const { batches } = await run(opened.database, sql.failsLate);
    let count = 0;
    const fault = await faultOf((async () => {
      for await (const batch of batches) count += batch.length;
    })());
    assert.notEqual(fault.code, "internal");
    assert.ok(fault.server !== undefined, "the server's words are missing");
    assert.ok(count > 0, "no rows came before the failure");
    assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
  });

  Deno.test(`${name}: two statements in one text are refused, and neither runs`, async () => {
    await using opened = await openPlain(fixture, { access: "write" });
    for (const second of ["DELETE FROM plain", "SELECT 2"]) {
      await faultOf(run(opened.database, `DELETE FROM plain; ${second}`));
      assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
    }
  });

  Deno.test(`${name}: a semicolon and a comment at the end are no second statement`, async () => {
    await using opened = await openPlain(fixture);
    for (const end of [";", " ; ", ";\n-- done", "; /* done */", " -- done", ";;"]) {
      assert.equal((await rows(opened.database, `SELECT id FROM plain${end}`)).length, 3, end);
    }
  });

  Deno.test(`${name}: no text and an odd text are refused`, async () => {
    await using opened = await openPlain(fixture);
    for (const text of ["", " ", ";", "-- nothing", "/* nothing */", "\0", "SELECT 1\0", "\ud800"]) {
      const fault = await faultOf((async () => await readRows(await run(opened.database, text)))());
      assert.notEqual(fault.code, "internal", JSON.stringify(text));
    }
    assert.equal((await rows(opened.database, "SELECT id FROM plain")).length, 3);
  });
}
