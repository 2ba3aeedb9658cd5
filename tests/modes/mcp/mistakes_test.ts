/**
 * The mistakes that models make in SQL, on real databases: each answer says what to mend, in our own words.
 */
import assert from "node:assert/strict";
import { READER as MARIADB_READER, sharedMariadb } from "../../support/mariadb_server.ts";
import { callOf, hello, request } from "../../support/mcp.ts";
import { execute } from "../../support/mcp_statements.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { READER, sharedPostgres } from "../../support/postgres_server.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";

const postgres = await sharedPostgres(18);
const mariadb = await sharedMariadb();

/** By statement: what its answer begins with after "Cannot run the statement: ". */
type Mistakes = readonly (readonly [sql: string, code: string, says: RegExp])[];

const EVERYWHERE: Mistakes = [
  ["SELECT custmer_id FROM orders", "unknown_column", /nearest that exist: orders\.customer_id/],
  ["SELECT * FROM ordrs", "unknown_relation", /nearest that exist: \w+\.orders/],
  ["SELECT id FROM orders a JOIN orders b ON a.id = b.id", "database_error", /fits several tables/],
  ["SELECT id FROM orders WHERE count(*) > 1", "database_error", /aggregate .*stands where none may/],
];

const BY_ENGINE: { readonly [engine: string]: { readonly database: string; readonly mistakes: Mistakes } } = {
  SQLite: {
    database: await shop("sqlite"),
    mistakes: [
      ["SELECT nofunc(1)", "database_error", /SQLite does not have/],
      ["SELECT upper(1, 2)", "database_error", /takes other arguments/],
      ["SELECT 1 UNION SELECT 1, 2", "database_error", /numbers of columns differ/],
      ["SELECT id FROM orders ORDER BY 99", "database_error", /fits no column of the result/],
      ["SELECT abs(-9223372036854775808)", "database_error", /out of range/],
      ["SELECT json_extract('x', '$')", "database_error", /should be JSON/],
    ],
  },
  PostgreSQL: {
    database:
      `postgres://${READER.user}:${encodeURIComponent(READER.password)}@127.0.0.1:${postgres.port}/shop` +
      "?sslmode=disable",
    mistakes: [
      ["SELECT 1 / 0", "database_error", /divides by zero/],
      ["SELECT 'x'::int", "database_error", /does not fit its type/],
      ["SELECT upper(1, 2)", "database_error", /arguments of these types/],
      [
        "SELECT id, count(*) FROM orders",
        "database_error",
        /neither grouped by nor aggregated.*character 8/s,
      ],
      ["SELECT (SELECT id FROM orders)", "database_error", /more than one row/],
      ["SELECT 2147483647 + 1", "database_error", /out of the range/],
      ["SELECT 1 FROM orders, orders", "database_error", /alias of its own/],
      ["SELECT CASE WHEN true THEN 1 ELSE 'x'::text END", "database_error", /Cast one of them/],
      ["SELECT sqrt(-1)", "database_error", /cannot be computed with/],
    ],
  },
  MariaDB: {
    database: `mysql://${MARIADB_READER.user}:${encodeURIComponent(MARIADB_READER.password)}@127.0.0.1:` +
      `${mariadb.port}/shop`,
    mistakes: [
      ["SELECT (SELECT id FROM orders)", "database_error", /more than one row/],
      ["SELECT 1 UNION SELECT 1, 2", "database_error", /numbers of columns differ/],
      ["SELECT 1 FROM orders, orders", "database_error", /alias of its own/],
      ["SELECT 18446744073709551615 + 1", "database_error", /out of the range/],
    ],
  },
};

for (const [engine, { database, mistakes }] of Object.entries(BY_ENGINE)) {
  Deno.test(`${engine}: what is wrong with a statement is told so that it can be mended`, async () => {
    const all = [...EVERYWHERE, ...mistakes];
    const texts = await execute([database], all.map(([sql]) => sql));
    for (const [index, [sql, code, says]] of all.entries()) {
      const text = texts[index] ?? "";
      assert.ok(text.startsWith(`[${code}] Cannot run the statement: `), `${sql}\n${text}`);
      assert.match(text, says, sql);
    }
  });
}

Deno.test("files that went away after the start are told without their folder", async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-hidden-place-" });
  const place = folder.slice(folder.lastIndexOf("/") + 1);
  const files = { "shop.sqlite": await shop("sqlite"), "shop.duckdb": await shop("duckdb") };
  for (const [name, source] of Object.entries(files)) await Deno.copyFile(source, `${folder}/${name}`);
  await Deno.writeTextFile(`${folder}/sheet.csv`, "a\n1\n");
  for (const name of [...Object.keys(files), "sheet.csv"]) {
    await using program = new Program({ args: ["mcp", "-d", `${folder}/${name}`] });
    const lines = (...messages: unknown[]) =>
      messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    await program.send(lines(...hello()));
    assert.match(await program.line(PATIENCE_MS) ?? "", /"protocolVersion"/);
    await Deno.remove(`${folder}/${name}`);
    await program.send(lines(request(1, "tools/call", callOf("list_tables", {}))));
    const answer = await program.line(PATIENCE_MS) ?? "";
    assert.match(answer, /\[bad_target\] Cannot open /);
    assert.ok(answer.includes(name) && !answer.includes(place), answer);
  }
  await Deno.remove(folder, { recursive: true });
});
