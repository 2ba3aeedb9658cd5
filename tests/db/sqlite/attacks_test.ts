/**
 * The list of attacks, each run on a real file: with SQLite's own walls alone, which stop all of them, and behind the guard.
 */
import assert from "node:assert/strict";
import type { Access, Database } from "../../../src/db/driver.ts";
import { guard } from "../../../src/db/guarded.ts";
import { faultOf, rows } from "../../suites/database_fixture.ts";
import { makeFile, openFile, type SqliteFile } from "../../support/sqlite_file.ts";
import { Tripwire } from "../../support/tripwire.ts";
import { NEVER, VICTIM, WRITES } from "./attack_list.ts";

/** Everything that could show a change: the bytes of the file, and what stands beside it. */
async function state(file: SqliteFile): Promise<unknown> {
  const names = Array.from(Deno.readDirSync(file.folder), (entry) => entry.name).toSorted();
  return { names, bytes: (await Deno.readFile(file.path)).toBase64() };
}

interface Attack {
  readonly access: Access;
  readonly statements: readonly string[];
  /** The database to attack, of the one that is open. */
  readonly through: (database: Database) => Database;
}

/** Each statement must be refused, the session must go on, and nothing may be changed, read or reached. */
async function attack({ access, statements, through }: Attack): Promise<void> {
  await using file = await makeFile(VICTIM);
  await using wire = await Tripwire.lay(file.folder);
  await using opened = openFile(file, { access });
  const database = through(opened.database);
  const before = await state(file);
  for (const statement of statements) {
    const sql = statement.replaceAll("FILE", file.path).replaceAll("SECRET", wire.path);
    const outcome = await rows(database, sql).then(() => "it ran", () => "refused");
    assert.equal(outcome, "refused", JSON.stringify(statement));
    assert.notEqual((await faultOf(rows(database, sql))).code, "internal", statement);
    assert.equal((await rows(database, "SELECT * FROM plain")).length, 2, statement);
    assert.deepEqual(await state(file), before, statement);
    assert.deepEqual(wire.touched(), [], statement);
  }
}

for (const access of ["read", "write"] as const) {
  Deno.test(`SQLite itself stops what is never allowed, access "${access}"`, async () => {
    await attack({ access, statements: NEVER, through: (database) => database });
  });

  Deno.test(`the guard stops it too, access "${access}"`, async () => {
    const options = { access, timeoutMs: 10_000 };
    await attack({ access, statements: NEVER, through: (database) => guard(database, options) });
  });
}

Deno.test("SQLite itself stops every write under access read", async () => {
  await attack({ access: "read", statements: WRITES, through: (database) => database });
});

Deno.test("the guard stops every write under access read", async () => {
  const options = { access: "read", timeoutMs: 10_000 } as const;
  await attack({ access: "read", statements: WRITES, through: (database) => guard(database, options) });
});
