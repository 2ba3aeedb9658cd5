import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Decimal, type Row } from "../../src/db/values.ts";
import { ResultStore } from "../../src/store/results.ts";
import { makeTempFolder } from "../../src/store/temp_folder.ts";
import { cursorOf } from "../support/cursor.ts";

async function withStore(test: (store: ResultStore, folder: string) => Promise<void>): Promise<void> {
  const folder = await makeTempFolder();
  const store = new ResultStore(() => Promise.resolve(folder.path));
  try {
    await store.keep(cursorOf(["n"], []), options); // the folder is the store's from its first result on
    await test(store, folder.path);
  } finally {
    await folder.close();
  }
  await assert.rejects(Deno.stat(folder.path), Deno.errors.NotFound);
}

const options = { database: "shop", callId: "call_1", signal: new AbortController().signal };
const numbers = function* (count: number): Generator<Row> {
  for (let i = 0; i < count; i++) yield [i, `row ${i} ü`];
};

Deno.test("every page of a result is exact, wherever it begins", async () => {
  await withStore(async (store) => {
    const { queryResult } = await store.keep(cursorOf(["n", "text"], numbers(1000)), options);
    assert.ok(queryResult);
    for (const offset of [0, 1, 63, 64, 65, 127, 128, 500, 998, 999]) {
      const page = await store.page(queryResult.id, { offset, limit: 3 });
      const expected = [...numbers(1000)].slice(offset, offset + 3).map(([n, text]) =>
        JSON.stringify({ n, text })
      );
      assert.deepEqual(page.rows, expected);
      assert.equal(page.hasMore, offset + 3 < 1000);
    }
    assert.deepEqual((await store.page(queryResult.id, { offset: 1000, limit: 3 })).rows, []);
    assert.deepEqual((await store.page(queryResult.id, { offset: 5000, limit: 3 })).hasMore, false);
  });
});

Deno.test("the descriptor tells the truth about the stored bytes, and others may not read them", async () => {
  await withStore(async (store, folder) => {
    const { queryResult } = await store.keep(cursorOf(["n", "text"], numbers(777)), options);
    assert.ok(queryResult);
    const path = `${folder}/${queryResult.id}/rows.ndjson`;
    const bytes = await Deno.readFile(path);
    assert.equal(queryResult.size, bytes.length);
    assert.equal(queryResult.sha256, createHash("sha256").update(bytes).digest("hex"));
    assert.equal(queryResult.rowCount, 777);
    assert.match(queryResult.id, /^qr_[0-9a-f]{32}$/);
    assert.equal(queryResult.file, "result_call_1.json");
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(`${folder}/${queryResult.id}`)).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("the model sees a small result whole and the head of a large one, plainly marked", async () => {
  await withStore(async (store) => {
    const small = await store.keep(cursorOf(["n"], [[new Decimal("1.50")], [null]]), options);
    assert.match(small.json, /"results":\[\{"n":1\.50\},\{"n":null\}\],"results_truncated":false/);
    const large = await store.keep(cursorOf(["n", "text"], numbers(5000)), options);
    const seen = JSON.parse(large.json);
    assert.ok(new TextEncoder().encode(large.json).length <= 12 * 1024);
    assert.equal(seen.results_truncated, true);
    assert.ok(seen.preview_rows.length > 100);
    assert.match(seen.warning, /of 5000 rows/);
    const limited = cursorOf(["n"], [[1]], { limit: { added: true, truncated: true } });
    const capped = JSON.parse((await store.keep(limited, options)).json);
    assert.equal(capped.auto_limit_applied, true);
    assert.equal(capped.more_rows_exist, true);
  });
});

Deno.test("a thousand wide columns still fit what the model sees", async () => {
  await withStore(async (store) => {
    const names = Array.from({ length: 1000 }, (_, i) => `a rather long column name ${i}`);
    const { json } = await store.keep(cursorOf(names, [names]), options);
    assert.ok(new TextEncoder().encode(json).length <= 12 * 1024);
    assert.equal(JSON.parse(json).columns_truncated, true);
  });
});

Deno.test("a page stops before it passes 8 MiB and the next one goes on", async () => {
  await withStore(async (store) => {
    const wide = "x".repeat(1 << 20);
    const rows = Array.from({ length: 20 }, (): Row => [wide]);
    const { queryResult } = await store.keep(cursorOf(["wide"], rows), options);
    const page = await store.page(queryResult?.id ?? "", { offset: 0, limit: 500 });
    assert.equal(page.rows.length, 7);
    assert.equal(page.hasMore, true);
  });
});

Deno.test("a statement that fails leaves nothing behind", async () => {
  await withStore(async (store, folder) => {
    const failing = function* (): Generator<Row> {
      yield* numbers(600);
      throw new Error("connection lost");
    };
    await assert.rejects(store.keep(cursorOf(["n", "text"], failing()), options), /connection lost/);
    const left = (await Array.fromAsync(Deno.readDir(folder))).filter(({ name }) =>
      !/^(lock|qr_\w+)$/.test(name)
    );
    assert.deepEqual(left, []);
  });
});

Deno.test("a row that is longer than a page is refused, and those around it are read", async () => {
  await withStore(async (store) => {
    const rows: Row[] = [["a"], ["x".repeat(9 << 20)], ["b"]];
    const { queryResult } = await store.keep(cursorOf(["wide"], rows), options);
    const page = (offset: number) => store.page(queryResult?.id ?? "", { offset, limit: 500 });
    assert.deepEqual((await page(0)).rows, ['{"wide":"a"}']);
    await assert.rejects(page(1), /Cannot send row 1: it alone has more than/);
    assert.deepEqual((await page(2)).rows, ['{"wide":"b"}']);
  });
});

Deno.test("rows with changed bytes are unavailable, and never break a line of the protocol", async () => {
  await withStore(async (store, folder) => {
    const { queryResult } = await store.keep(cursorOf(["n", "text"], numbers(3)), options);
    const id = queryResult?.id ?? "";
    const path = `${folder}/${id}/rows.ndjson`;
    const written = await Deno.readFile(path);
    for (const changed of [0x0a, 0x22, 0xff, 0x00]) {
      await Deno.writeFile(path, written.with(written.length - 2, changed));
      await assert.rejects(store.page(id, { offset: 0, limit: 500 }), /is unavailable/);
    }
    await Deno.writeFile(path, written);
    assert.equal((await store.page(id, { offset: 0, limit: 500 })).rows.length, 3);
  });
});

Deno.test("unknown, strange and damaged ids are unavailable alike", async () => {
  await withStore(async (store, folder) => {
    const { queryResult } = await store.keep(cursorOf(["n", "text"], numbers(3)), options);
    const id = queryResult?.id ?? "";
    await Deno.remove(`${folder}/${id}`, { recursive: true });
    for (const wrong of ["qr_0", "../../etc/passwd", id]) {
      await assert.rejects(store.page(wrong, { offset: 0, limit: 1 }), /is unavailable/);
    }
  });
});

Deno.test("a statement without columns tells how many rows it changed", async () => {
  await withStore(async (store) => {
    const kept = await store.keep(cursorOf([], [], { affected: 3 }), options);
    assert.deepEqual(kept, { json: '{"success":true,"affected_rows":3}' });
  });
});
