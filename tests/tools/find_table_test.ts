import assert from "node:assert/strict";
import { findTable } from "../../src/tools/find_table.ts";
import { makeFile, openFile } from "../support/sqlite_file.ts";

Deno.test("a table is found by its exact name, whatever characters it has", async () => {
  const names = ["a.b", "a_b", "a%b", "a\\b", 'a"b', "axb", "A_B c"];
  const ddl = names.map((name, at) => `CREATE TABLE "${name.replaceAll('"', '""')}" (c${at} INT);`).join("");
  await using file = await makeFile(ddl);
  await using opened = openFile(file);
  const { signal } = new AbortController();
  for (const [at, name] of names.entries()) {
    const table = await findTable(opened.database, { schema: "main", name, signal });
    assert.deepEqual([table?.name, table?.columns[0]?.name], [name, `c${at}`]);
  }
  for (const name of ["%", "a_", "A.B", "a?b", ""]) {
    assert.equal(await findTable(opened.database, { schema: "main", name, signal }), undefined);
  }
});
