/**
 * The list of attacks, each run against a real file: through the guard, by the judgement alone, and on DuckDB as the
 * program opens it with nothing before it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { guard } from "../../../src/db/guarded.ts";
import { driver } from "../../../src/db/duckdb.ts";
import { openInstance } from "../../../src/db/duckdb/instance.ts";
import { loadDuckDb } from "../../../src/db/duckdb/library.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { ask, duckdbFile, testFolder } from "../../support/duckdb.ts";
import { Tripwire } from "../../support/tripwire.ts";
import { ATTACKS, VICTIM } from "./attack_list.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

/** A database file of its own, and beside it what no attack may open or reach. */
async function lay() {
  const folder = await testFolder();
  const target = await duckdbFile(folder.path, VICTIM);
  const wire = await Tripwire.lay(folder.path);
  const before = await Deno.readFile(target.path);
  return {
    target,
    aim: (sql: string) =>
      sql.replaceAll(":secret", wire.path).replaceAll(":out", join(folder.path, "out"))
        .replaceAll(":folder", folder.path).replaceAll(":url", wire.url),
    async assertUntouched(): Promise<void> {
      assert.deepEqual(wire.touched(), []);
      assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name).sort(), [
        "secret",
        "test.duckdb",
      ]);
      assert.deepEqual(await Deno.readFile(target.path), before);
    },
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("DuckDB: the guard refuses each attack, and nothing is changed, read or reached", async () => {
  await using place = await lay();
  const database = guard(await driver.open(place.target, OPTIONS), OPTIONS);
  try {
    for (const { sql, code } of ATTACKS) {
      const fault = await faultOf(ask(database, place.aim(sql)));
      assert.equal(fault.code, code, sql);
      assert.match(fault.message, /^Cannot .+\.$/);
    }
    assert.deepEqual((await ask(database, "SELECT count(*) FROM t")).rows, [[20]]);
  } finally {
    await database.close();
  }
  await place.assertUntouched();
});

Deno.test("DuckDB: the judgement alone refuses each attack", async () => {
  await using place = await lay();
  const database = await driver.open(place.target, OPTIONS);
  try {
    for (const { sql } of ATTACKS) {
      const fault = await faultOf(database.dialect.judge?.(place.aim(sql), "read") ?? Promise.resolve());
      assert.match(fault.message, /^Cannot run .+\.$/, sql);
    }
  } finally {
    await database.close();
  }
  await place.assertUntouched();
});

Deno.test("DuckDB: what its own walls stop", async () => {
  await using place = await lay();
  const api = await loadDuckDb();
  const open = () => openInstance({ api, path: place.target.path, readOnly: true });
  let instance = await open();
  for (const { sql, alone } of ATTACKS.filter(({ alone }) => alone !== "aborts")) {
    const connection = await instance.connect();
    const outcome = await connection.runAndReadAll(place.aim(sql)).then(() => "runs", () => "stopped");
    connection.closeSync();
    assert.equal(outcome, alone, sql);
    await place.assertUntouched();
    if (outcome === "stopped") continue;
    // what it left behind shall not stop the next one
    instance.closeSync();
    instance = await open();
  }
  instance.closeSync();
});

/** Runs statements on the file in a process of their own, past everything but DuckDB's walls. */
async function runApart(path: string, statements: readonly string[]): Promise<Deno.CommandOutput> {
  const source = (name: string) => JSON.stringify(import.meta.resolve(`../../../src/db/duckdb/${name}.ts`));
  const code = `
    import { openInstance } from ${source("instance")};
    import { loadDuckDb } from ${source("library")};
    const api = await loadDuckDb();
    const instance = await openInstance({ api, path: ${JSON.stringify(path)}, readOnly: true });
    const connection = await instance.connect();
    for (const sql of ${JSON.stringify(statements)}) await connection.runAndReadAll(sql).catch(console.error);
    console.log("still here");
    connection.closeSync();
    instance.closeSync();
    Deno.exit(0);`;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  return await new Deno.Command("deno", {
    args: ["run", "-A", "-q", "--config", config, `data:application/typescript,${encodeURIComponent(code)}`],
  }).output();
}

Deno.test("DuckDB: which attacks would end the process", async () => {
  await using place = await lay();
  const { success, stdout } = await runApart(place.target.path, ["SELECT 1"]);
  assert.ok(success, new TextDecoder().decode(stdout));
  for (const { sql } of ATTACKS.filter(({ alone }) => alone === "aborts")) {
    const { success, stderr } = await runApart(place.target.path, [place.aim(sql), "SELECT 1"]);
    assert.ok(!success, sql);
    assert.match(new TextDecoder().decode(stderr), /file system operations are disabled by configuration/);
  }
  await place.assertUntouched();
});
