/**
 * The sample shop: whole, the same each time, made once.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { makeSampleShop } from "../../src/store/sample_shop.ts";

Deno.test("the sample shop is whole, and made once", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = await makeSampleShop(`${folder}/data`);
    const db = new DatabaseSync(path, { readOnly: true });
    const one = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
    assert.deepEqual(db.prepare("PRAGMA foreign_key_check").all(), []);
    assert.equal(one("SELECT count(*) FROM customers"), 100);
    assert.equal(one("SELECT count(*) FROM orders"), 1200);
    assert.equal(one("SELECT count(*) FROM orders WHERE id NOT IN (SELECT order_id FROM order_items)"), 0);
    assert.ok(Number(one("SELECT count(DISTINCT country) FROM customers")) >= 3);
    assert.equal(one("SELECT max(ordered_on) FROM orders"), "2025-12-31");
    db.close();
    const { mtime } = await Deno.stat(path);
    assert.equal(await makeSampleShop(`${folder}/data`), path);
    assert.deepEqual((await Deno.stat(path)).mtime, mtime);
    await Deno.writeTextFile(`${folder}/file`, "");
    await assert.rejects(() => makeSampleShop(`${folder}/file`), /Cannot make the sample shop/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
