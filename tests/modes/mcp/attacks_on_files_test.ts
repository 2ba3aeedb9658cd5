/**
 * The lists of attacks and of honest statements on files, as an MCP client's calls: each attack is refused and nothing is
 * changed, read or reached; each honest statement runs.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import * as duckdb from "../../db/duckdb/attack_list.ts";
import * as honestDuckdb from "../../db/duckdb/harmless_list.ts";
import * as files from "../../db/files/attack_list.ts";
import * as sqlite from "../../db/sqlite/attack_list.ts";
import * as honestSqlite from "../../db/sqlite/harmless_list.ts";
import { duckdbFile, testFolder } from "../../support/duckdb.ts";
import { FORBIDDEN, refuses, runs } from "../../support/mcp_statements.ts";
import { makeFile } from "../../support/sqlite_file.ts";
import { Tripwire } from "../../support/tripwire.ts";

function namesIn(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).toSorted();
}

Deno.test("SQLite", async () => {
  await using file = await makeFile(sqlite.VICTIM);
  await using wire = await Tripwire.lay(file.folder);
  const before = [namesIn(file.folder), await Deno.readFile(file.path)];
  const attacks = [...sqlite.NEVER, ...sqlite.WRITES].map((sql) =>
    sql.replaceAll("FILE", file.path).replaceAll("SECRET", wire.path)
  );
  await refuses([file.path], attacks);
  await runs([file.path], honestSqlite.HARMLESS.map(([sql]) => sql));
  assert.deepEqual([namesIn(file.folder), await Deno.readFile(file.path)], before);
  assert.deepEqual(wire.touched(), []);
});

Deno.test("DuckDB", async () => {
  await using folder = await testFolder();
  const { path } = await duckdbFile(folder.path, duckdb.VICTIM);
  await using wire = await Tripwire.lay(folder.path);
  const before = [namesIn(folder.path), await Deno.readFile(path)];
  const attacks = duckdb.ATTACKS.map(({ sql }) =>
    sql.replaceAll(":secret", wire.path).replaceAll(":out", join(folder.path, "out"))
      .replaceAll(":folder", folder.path).replaceAll(":url", wire.url)
  );
  await refuses([path], attacks);
  assert.deepEqual([namesIn(folder.path), await Deno.readFile(path)], before);
  assert.deepEqual(wire.touched(), []);
  await using honest = await testFolder();
  await runs([(await duckdbFile(honest.path, honestDuckdb.SETUP)).path], honestDuckdb.HARMLESS);
});

Deno.test("data files", async () => {
  await using folder = await testFolder();
  await using wire = await Tripwire.lay(folder.path);
  const [data, other] = [join(folder.path, "data.csv"), join(folder.path, "other.csv")];
  await Deno.writeTextFile(data, "a\n1\n");
  await Deno.writeTextFile(other, `a\n${FORBIDDEN}\n`);
  const before = namesIn(folder.path);
  const attacks = files.ATTACKS.map(({ sql }) =>
    sql.replaceAll(":data", data).replaceAll(":other", other).replaceAll(":secret", wire.path)
      .replaceAll(":folder", folder.path).replaceAll(":url", wire.url)
  );
  await refuses([data], attacks);
  await runs([data], ["FROM data", "SELECT max(a) FROM data", "SELECT 'COPY data TO ''x''' FROM data"]);
  assert.deepEqual(namesIn(folder.path), before);
  assert.equal(await Deno.readTextFile(data), "a\n1\n");
  assert.deepEqual(wire.touched(), []);
});
