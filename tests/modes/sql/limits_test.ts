/**
 * `saber sql` and the row caps: what was left out is told beside the rows.
 */
import assert from "node:assert/strict";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";

async function run(sql: string): Promise<{ lines: number; errors: string; code: number }> {
  const args = ["sql", "-d", await shop("sqlite"), "--output", "jsonl", sql];
  await using program = new Program({ args });
  let lines = 0;
  while (await program.line(PATIENCE_MS) !== undefined) lines++;
  return { lines, errors: await program.errors(), code: (await program.exit).code };
}

Deno.test("a statement without a LIMIT ends at 1,000 rows and says so", async () => {
  assert.deepEqual(await run("SELECT a.id FROM customers a, customers b"), {
    lines: 1000,
    errors:
      "Only the first 1,000 rows are shown, and there are more. Write a LIMIT of your own to see them.\n",
    code: 0,
  });
  assert.deepEqual(await run("SELECT id FROM customers"), { lines: 1000, errors: "", code: 0 });
});

Deno.test("with a LIMIT of its own it gets what it asked for", async () => {
  const result = await run("SELECT a.id FROM customers a, customers b LIMIT 2500");
  assert.deepEqual(result, { lines: 2500, errors: "", code: 0 });
});
