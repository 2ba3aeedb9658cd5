/**
 * The list of attacks on data files: through the guard, by the judgement alone, and on DuckDB with nothing before it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openInstance } from "../../../src/db/duckdb/instance.ts";
import { loadDuckDb } from "../../../src/db/duckdb/library.ts";
import { driver } from "../../../src/db/files.ts";
import { createView } from "../../../src/db/files/view.ts";
import { guard } from "../../../src/db/guarded.ts";
import { filesTarget } from "../../support/data_files.ts";
import { ask, testFolder } from "../../support/duckdb.ts";
import { Tripwire } from "../../support/tripwire.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import { ATTACKS } from "./attack_list.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;
const CONTENT = "a\n1\n";
const SECRET = "secret\n42\n";

/** A selected file, and beside it what no attack may open or reach. */
async function lay() {
  const folder = await testFolder();
  const wire = await Tripwire.lay(folder.path);
  const [data, other] = [join(folder.path, "data.csv"), join(folder.path, "other.csv")];
  await Deno.writeTextFile(data, CONTENT);
  await Deno.writeTextFile(other, SECRET);
  return {
    data,
    target: filesTarget([data]),
    aim: (sql: string) =>
      sql.replaceAll(":data", data).replaceAll(":other", other).replaceAll(":secret", wire.path)
        .replaceAll(":folder", folder.path).replaceAll(":url", wire.url),
    async assertUntouched(): Promise<void> {
      assert.deepEqual(wire.touched(), []);
      assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name).sort(), [
        "data.csv",
        "other.csv",
        "secret",
      ]);
      assert.equal(await Deno.readTextFile(data), CONTENT);
      assert.equal(await Deno.readTextFile(other), SECRET);
    },
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("data files: the guard, and the judgement alone, refuse each attack", async () => {
  await using place = await lay();
  const inner = await driver.open(place.target, OPTIONS);
  const database = guard(inner, OPTIONS);
  try {
    for (const { sql } of ATTACKS) {
      const fault = await faultOf(ask(database, place.aim(sql)));
      assert.match(
        fault.code,
        /^(?:not_read_only|forbidden_function|multiple_statements|unknown_relation)$/,
        sql,
      );
      await faultOf(inner.dialect.judge?.(place.aim(sql), "read") ?? Promise.resolve());
    }
    assert.deepEqual((await ask(database, "FROM data")).rows, [[1]]);
  } finally {
    await database.close();
  }
  await place.assertUntouched();
});

Deno.test("data files: what DuckDB's own walls stop", async () => {
  await using place = await lay();
  const api = await loadDuckDb();
  for (const { sql, alone } of ATTACKS) {
    const prepare = {
      paths: [place.data],
      run: async (connection: Parameters<typeof createView>[1]["connection"]) => {
        for (const file of place.target.files) await createView(file, { connection, api });
      },
    };
    const instance = await openInstance({ api, path: ":memory:", readOnly: true, prepare });
    const connection = await instance.connect();
    const outcome = await connection.runAndReadAll(place.aim(sql)).then(() => "runs", () => "stopped");
    connection.closeSync();
    instance.closeSync();
    if (alone === "changes") {
      assert.notEqual(await Deno.readTextFile(place.data), CONTENT, sql);
      await Deno.writeTextFile(place.data, CONTENT);
    } else assert.equal(outcome, alone, sql);
    await place.assertUntouched();
  }
});
