/**
 * Rows edited in the host's grid, on one engine: every type shows its value and takes what was shown back unchanged; rows with
 * keys of several columns and without any.
 */
import assert from "node:assert/strict";
import { PluginError, PluginHost } from "../support/plugin_host.ts";
import * as shapes from "../support/plugin_shapes.ts";
import { type PluginFixture, runAll } from "./plugin_fixture.ts";

const PNG = Uint8Array.fromHex("89504e470d0a1a0a0000000d49484452");

export function pluginRecords(engine: string, make: () => Promise<PluginFixture>): void {
  Deno.test(`saber plugin on ${engine} edits rows`, async (t) => {
    const fixture = await make();
    await using host = new PluginHost(fixture.params);
    try {
      await runAll(host, fixture.create, null);
      await runAll(host, fixture.setup, fixture.schema);
      await t.step("every type", () => everyType(host, fixture));
      await t.step("rows without a key", () => keyless(host, fixture));
      await t.step("keys of several columns", () => composite(host, fixture));
      await t.step("what is refused", () => refusals(host, fixture));
      await t.step("binary values", () => blobs(host, fixture));
    } finally {
      await runAll(host, fixture.cleanup, null);
      await fixture.dispose();
    }
  });
}

function using(host: PluginHost, { schema }: PluginFixture) {
  return {
    run: async (query: string) =>
      shapes.queryResult.parse(await host.ask("execute_query", { query, limit: null, page: 1, schema })).rows,
    ask: async (method: string, fields: Readonly<Record<string, unknown>>) =>
      await host.ask(method, { schema, ...fields }),
  };
}

async function everyType(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const { run, ask } = using(host, fixture);
  const { types } = fixture;
  const names = types.map((_, index) => `c${index}`);
  const columns = types.map(({ type }, index) => `c${index} ${type}`).join(", ");
  await run(`CREATE TABLE typed (id INTEGER PRIMARY KEY, ${columns})`);
  await run(`INSERT INTO typed VALUES (1, ${types.map(({ sql }) => sql).join(", ")})`);
  const [first = []] = await run("SELECT * FROM typed WHERE id = 1");
  for (const [index, { type, value }] of types.entries()) {
    assert.deepEqual(first[index + 1], value, `${type} shows`);
  }

  const data = { id: 2, ...Object.fromEntries(types.map(({ value }, index) => [`c${index}`, value])) };
  assert.equal(await ask("insert_record", { table: "typed", data }), 1);
  assert.deepEqual((await run("SELECT * FROM typed WHERE id = 2"))[0]?.slice(1), first.slice(1));

  assert.equal(await ask("insert_record", { table: "typed", data: { id: 3 } }), 1);
  for (const [index, { type, value }] of types.entries()) {
    const change = { table: "typed", pk_map: { id: 3 }, col_name: names[index], new_val: value };
    const done = await ask("update_record", change).catch((error) =>
      assert.fail(`${type}: ${error.message}`)
    );
    assert.equal(done, 1, `${type} is written`);
    assert.equal(await ask("update_record", change), 1, `${type} is written again`);
  }
  assert.deepEqual((await run("SELECT * FROM typed WHERE id = 3"))[0]?.slice(1), first.slice(1));
  const cleared = { table: "typed", pk_col: "id", pk_val: 3, col_name: "c0", new_val: null };
  assert.equal(await ask("update_record", cleared), 1);
  assert.deepEqual(await run("SELECT c0 FROM typed WHERE id = 3"), [[null]]);
}

/** Each row of a table without a key is found again by all that was shown of it. */
async function keyless(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const { run, ask } = using(host, fixture);
  for (const { type, sql, value } of fixture.types) {
    await run("DROP TABLE IF EXISTS loose");
    await run(`CREATE TABLE loose (c ${type}, n INTEGER)`);
    await run(`INSERT INTO loose VALUES (${sql}, 1)`);
    await run("INSERT INTO loose VALUES (NULL, 1)");
    const change = { table: "loose", pk_map: { c: value, n: 1 }, col_name: "n", new_val: 2 };
    const changed = await ask("update_record", change).catch((error) =>
      assert.fail(`${type}: ${error.message}`)
    );
    assert.equal(changed, 1, `a row is found by its ${type}`);
    assert.equal(await ask("delete_record", { table: "loose", pk_map: { c: null, n: 1 } }), 1);
    assert.deepEqual(await run("SELECT c, n FROM loose"), [[value, 2]]);
  }
  await run("DROP TABLE IF EXISTS loose");
  await run("CREATE TABLE loose (n INTEGER)");
  await run("INSERT INTO loose VALUES (1), (1)");
  const twins = { table: "loose", pk_map: { n: 1 }, schema: fixture.schema };
  assert.match((await host.fails("delete_record", twins)).message, /2 rows are alike/);
  assert.deepEqual(await run("SELECT n FROM loose"), [[1], [1]]);
}

async function composite(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const { run, ask } = using(host, fixture);
  await ask("insert_record", { table: "item", data: { id: 1, name: 'it\'s \\ "quoted" ü' } });
  assert.deepEqual(await run("SELECT name FROM item"), [['it\'s \\ "quoted" ü']]);
  for (const b of ["x", "y", "it's"]) {
    await ask("insert_record", { table: "part", data: { a: 1, b, item_id: null } });
  }
  const key = { a: 1, b: "it's" };
  assert.equal(
    await ask("update_record", { table: "part", pk_map: key, col_name: "item_id", new_val: 1 }),
    1,
  );
  assert.deepEqual(await run("SELECT b, item_id FROM part ORDER BY b"), [["it's", 1], ["x", null], [
    "y",
    null,
  ]]);
  assert.equal(await ask("delete_record", { table: "part", pk_map: { a: 1, b: "x" } }), 1);
  assert.equal(await ask("delete_record", { table: "part", pk_map: { a: 1, b: "x" } }), 0);
  assert.equal(
    await ask("update_record", {
      table: "item",
      pk_map: { id: 1 },
      col_name: "name",
      new_val: "__USE_DEFAULT__",
    }),
    1,
  );
  assert.deepEqual(await run("SELECT name FROM item"), [["none"]]);
}

async function refusals(host: PluginHost, { schema }: PluginFixture): Promise<void> {
  const refused = async (method: string, fields: Readonly<Record<string, unknown>>): Promise<PluginError> =>
    await host.fails(method, { schema, ...fields });
  assert.equal((await refused("delete_record", { table: "item", pk_map: {} })).code, -32602);
  assert.equal(
    (await refused("update_record", { table: "item", pk_map: { nope: 1 }, col_name: "name", new_val: "" }))
      .code,
    -32602,
  );
  assert.match((await refused("insert_record", { table: "nope", data: {} })).message, /nope/);
  const object = { table: "item", pk_map: { id: 1 }, col_name: "id", new_val: { a: 1 } };
  assert.equal((await refused("update_record", object)).code, -32602);
}

async function blobs(host: PluginHost, fixture: PluginFixture): Promise<void> {
  const { run, ask } = using(host, fixture);
  const large = new Uint8Array(20_000).map((_, index) => PNG[index] ?? index % 251);
  await run(`CREATE TABLE pictures (id INTEGER PRIMARY KEY, body ${fixture.blobType})`);
  const whole = `BLOB:20000:image/png:${large.toBase64()}`;
  await ask("insert_record", { table: "pictures", data: { id: 1, body: whole } });
  const [[shown] = []] = await run("SELECT body FROM pictures");
  assert.equal(shown, `BLOB:20000:image/png:${large.subarray(0, 4096).toBase64()}`);
  const one = { table: "pictures", pk_map: { id: 1 }, col_name: "body" };
  assert.equal(await ask("fetch_blob_as_data_url", one), whole);
  const preview = await host.fails("update_record", { schema: fixture.schema, ...one, new_val: shown });
  assert.match(preview.message, /preview/);

  const folder = await Deno.makeTempDir({ prefix: "saber-plugin-blob-" });
  const path = `${folder}/out.png`;
  assert.equal(await ask("save_blob_to_file", { ...one, file_path: path }), null);
  assert.deepEqual(await Deno.readFile(path), large);
  const reference = `BLOB_FILE_REF:20000:image/png:${path}`;
  await ask("insert_record", { table: "pictures", data: { id: 2, body: reference } });
  assert.deepEqual(await ask("fetch_blob_as_data_url", { ...one, pk_map: { id: 2 } }), whole);
  const tooLarge = {
    table: "pictures",
    data: { id: 3, body: reference },
    max_blob_size: 100,
    schema: fixture.schema,
  };
  assert.match((await host.fails("insert_record", tooLarge)).message, /100/);
  await ask("insert_record", { table: "pictures", data: { id: 4, body: null } });
  const missing = { ...one, pk_map: { id: 4 }, file_path: path, schema: fixture.schema };
  assert.match((await host.fails("save_blob_to_file", missing)).message, /NULL/);
  assert.equal((await host.fails("save_blob_to_file", { ...missing, file_path: folder })).code, -32602);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["out.png"]);
  await Deno.remove(folder, { recursive: true });
}
