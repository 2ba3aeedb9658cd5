/** Discovery in a database of 10,000 tables: what fits is listed, what does not is told, and a pattern finds it. */
import assert from "node:assert/strict";
import { messageSchema } from "../../support/line_peer.ts";
import { MANY_TABLES, TABLES } from "../../support/many_tables.ts";
import { callOf, hello, request } from "../../support/mcp.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { sharedPostgres } from "../../support/postgres_server.ts";

const MAX_BYTES = 1_000_000;

await sharedPostgres(18); // it outlives the test that starts it

/** The bench asks the other engines too, on which so many tables take minutes to make. */
for (const engine of ["SQLite", "PostgreSQL"] as const) {
  Deno.test(`${engine}: ${TABLES} tables are listed as far as they fit, and found by a pattern`, async () => {
    await using database = await MANY_TABLES[engine]();
    await using program = new Program({ args: ["mcp", "-d", database.target] });
    const call = async (name: string, args: object) => {
      await program.send(`${JSON.stringify(request(1, "tools/call", callOf(name, args)))}\n`);
      const line = await program.line(PATIENCE_MS) ?? "the end";
      return messageSchema.parse(JSON.parse(line)).result?.structuredContent;
    };
    await program.send(hello().map((message) => `${JSON.stringify(message)}\n`).join(""));
    await program.line(PATIENCE_MS);

    const begun = performance.now();
    const answer = JSON.stringify(await call("list_tables", {}));
    const took = performance.now() - begun;
    const { tables, total_tables, truncated, hint } = JSON.parse(answer);
    assert.deepEqual([total_tables, truncated], [TABLES, true]);
    assert.ok(new TextEncoder().encode(answer).length <= MAX_BYTES);
    assert.ok(tables.length > 3000, `only ${tables.length}`);
    assert.match(hint, new RegExp(`first ${tables.length} of ${TABLES} tables fit`));
    assert.ok(took < 20_000, `${took} ms`);

    const found = JSON.stringify(await call("introspect_schema", { table_pattern: "%table_9999" }));
    assert.match(found, /table_9999/);
    assert.match(
      JSON.stringify(await call("introspect_schema", { table_pattern: "%table_99__" })),
      /table_9900/,
    );
  });
}
