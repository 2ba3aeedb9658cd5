/**
 * `saber plugin` on a folder of data files: they are shown, paged and never written.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";

Deno.test("saber plugin shows the data files of a folder as tables", async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-plugin-files-" });
  await Deno.writeTextFile(`${folder}/people.csv`, "id,name\n1,Ann\n2,Bo\n3,Cy\n");
  await Deno.writeTextFile(`${folder}/big.jsonl`, '{"n":9007199254740993}\n');
  await Deno.writeTextFile(`${folder}/notes.md`, "# no data");
  await using host = new PluginHost({ driver: "saber-files", database: folder });
  const schema = "main";
  assert.deepEqual(await host.ask("test_connection"), { success: true });
  const tables = z.array(shapes.tableInfo).parse(await host.ask("get_tables", { schema }));
  assert.deepEqual(tables.map(({ name }) => name), ["big", "people"]);
  assert.deepEqual(await host.ask("get_views", { schema }), []);
  const columns = z.array(shapes.tableColumn).parse(
    await host.ask("get_columns", { schema, table: "people" }),
  );
  assert.deepEqual(columns.map(({ name, data_type }) => [name, data_type]), [["id", "BIGINT"], [
    "name",
    "VARCHAR",
  ]]);
  const run = async (query: string, page: number) =>
    shapes.queryResult.parse(await host.ask("execute_query", { query, limit: 2, page, schema }));
  assert.deepEqual((await run('SELECT * FROM "people" ORDER BY id', 2)).rows, [[3, "Cy"]]);
  assert.deepEqual((await run("FROM big", 1)).rows, [["9007199254740993"]]);
  for (
    const query of ["CREATE TABLE t (a INTEGER)", `COPY people TO '${folder}/out.csv'`, "DELETE FROM people"]
  ) {
    const { code } = await host.fails("execute_query", { query, limit: null, page: 1, schema });
    assert.equal(code, -32603);
  }
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
    "big.jsonl",
    "notes.md",
    "people.csv",
  ]);
  await Deno.remove(folder, { recursive: true });
});
