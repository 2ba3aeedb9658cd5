/**
 * Honest statements behind the guard, on a real file whose macros lie; and those whose form alone is refused.
 * What must be refused for what it does is attacks_test.ts's.
 */
import assert from "node:assert/strict";
import { driver } from "../../../src/db/duckdb.ts";
import type { Database } from "../../../src/db/driver.ts";
import { guard } from "../../../src/db/guarded.ts";
import { ask, duckdbFile, faultOf, testFolder } from "../../support/duckdb.ts";
import { HARMLESS, SETUP } from "./harmless_list.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

async function withShop(test: (database: Database) => Promise<void>): Promise<void> {
  await using folder = await testFolder();
  const inner = await driver.open(await duckdbFile(folder.path, SETUP), OPTIONS);
  const database = guard(inner, OPTIONS);
  try {
    await test(database);
  } finally {
    await database.close();
  }
}

Deno.test("honest statements run", async (t) => {
  await withShop(async (database) => {
    for (const sql of HARMLESS) {
      await t.step(sql.slice(0, 80), async () => {
        const fault = await faultOf(() => ask(database, sql));
        assert.equal(fault, undefined, `${fault?.message} ${fault?.server?.message}`);
      });
    }
  });
});

/** Harmless as part of a SELECT, but not alone. */
const REFUSED = ["DESCRIBE t", "SUMMARIZE t", "TABLE t"];

Deno.test("statements of other kinds are refused, though they read", async (t) => {
  await withShop(async (database) => {
    for (const sql of REFUSED) {
      await t.step(sql, async () => {
        assert.equal((await faultOf(() => ask(database, sql)))?.code, "not_read_only");
      });
    }
  });
});
