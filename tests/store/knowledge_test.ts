/**
 * Knowledge: kept, found by words, and read from the Python program's file without touching it.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { KnowledgeBase } from "../../src/store/knowledge_base.ts";
import { hasSaberDb, openSaberDb } from "../../src/store/saber_db.ts";

async function withBase(test: (base: KnowledgeBase, folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const opened: DatabaseSync[] = [];
  const base = new KnowledgeBase({
    open: async () => {
      const db = opened[0] ?? await openSaberDb(folder);
      opened[0] = db;
      return db;
    },
    exists: async () => await hasSaberDb(folder),
    pythonPath: `${folder}/knowledge.db`,
  });
  try {
    await test(base, folder);
  } finally {
    opened[0]?.close();
    await Deno.remove(folder, { recursive: true });
  }
}

function writePythonKnowledge(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(
    `CREATE TABLE knowledge (id TEXT PRIMARY KEY, database_name TEXT, name TEXT, description TEXT, sql TEXT, source TEXT,
    created_at REAL, updated_at REAL);
    INSERT INTO knowledge VALUES ('p1', 'shop', 'churn', 'Customers without an order for 90 days', NULL, 'sales', 1.5, 1.5)`,
  );
  db.close();
}

const entry = (name: string, description: string, sql: string | null = null) => ({
  database: "shop",
  name,
  description,
  sql,
  source: null,
});

Deno.test("entries are kept, removed and cleared by database", async () => {
  await withBase(async (base) => {
    assert.deepEqual(await base.entries("shop"), []);
    assert.equal(await base.isAbout(["shop"]), false);
    const store = await base.store();
    const id = await store.add(entry("revenue", "Without returned orders", "SELECT 1"));
    await store.add({ ...entry("other", "x"), database: "other" });
    assert.deepEqual((await base.entries("shop")).map(({ name, sql }) => [name, sql]), [[
      "revenue",
      "SELECT 1",
    ]]);
    assert.equal(await base.isAbout(["none", "shop"]), true);
    assert.equal(store.find(id)?.description, "Without returned orders");
    assert.equal(await store.remove(id), true);
    assert.equal(await store.remove(id), false);
    assert.equal(await store.clear("other"), 1);
  });
});

Deno.test("words find entries in names, descriptions and SQL; the best and newest first", async () => {
  await withBase(async (base) => {
    const store = await base.store();
    await store.add(entry("month-over-month", "Growth against the month before"));
    await store.add(entry("c# customers", "Those with the C# licence", "SELECT * FROM licences"));
    await store.add(entry("revenue", "Revenue: paid orders, not returned"));
    const search = async (query: string, limit = 10) =>
      (await base.search("shop", { query, limit })).map(({ name }) => name);
    assert.deepEqual(await search("revenue of last year"), ["revenue"]);
    assert.deepEqual(await search("licences"), ["c# customers"]);
    assert.deepEqual(await search("month-over-month"), ["month-over-month"]);
    assert.deepEqual(await search("c#"), ["c# customers"]);
    assert.deepEqual(await search("paid AND orders"), ["revenue"]);
    assert.deepEqual(await search('"not returned"'), ["revenue"]);
    assert.deepEqual(await search('") OR name:'), []);
    assert.deepEqual(await search("the", 1), ["month-over-month"]);
    assert.deepEqual(await search(" "), []);
    assert.deepEqual(await base.search("elsewhere", { query: "revenue", limit: 10 }), []);
  });
});

Deno.test("the Python program's entries are found too, and its file stays as it is", async () => {
  await withBase(async (base, folder) => {
    const path = `${folder}/knowledge.db`;
    writePythonKnowledge(path);
    const before = (await Deno.readFile(path)).toHex();
    const [found] = await base.search("shop", { query: "churn", limit: 10 });
    assert.deepEqual([found?.id, found?.source, found?.createdAt], ["p1", "sales", 1500]);
    assert.equal(await base.isAbout(["other"]), false);
    assert.equal((await Deno.readFile(path)).toHex(), before);
    assert.equal(await hasSaberDb(folder), false);
    await Deno.writeTextFile(path, "no database");
    await assert.rejects(() => base.entries("shop"), /Cannot read the knowledge/);
  });
});
