import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { Databases } from "../../src/db/databases.ts";
import { ENGINES } from "../../src/db/registry.ts";
import { WholeRows } from "../../src/modes/mcp/whole_rows.ts";
import { ToolService } from "../../src/tools/service.ts";

const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody');
  CREATE TABLE "odd ""names""" ("__proto__" TEXT, "1" INTEGER, "select" REAL, PRIMARY KEY ("1", "__proto__"));
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER REFERENCES customers (id),
    one INTEGER, two TEXT,
    FOREIGN KEY (one, two) REFERENCES "odd ""names""" ("1", "__proto__")
  );
  CREATE UNIQUE INDEX orders_by_customer ON orders (customer_id, id) WHERE customer_id > 7;
  CREATE VIEW big_orders AS SELECT * FROM orders;
`;

/** The tools on a database with this schema. */
async function withTools(
  schema: string,
  use: (tools: { call(name: string, args: object): Promise<string> }) => Promise<void>,
  maxBytes = 1_000_000,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "shop.db");
  const database = new DatabaseSync(path);
  database.exec(schema);
  database.close();
  const target = { engine: "sqlite", name: "shop", path, excludeSchemas: [] } as const;
  const databases = new Databases([target], { engines: ENGINES, access: "read", timeoutMs: 10_000 });
  const tools = new ToolService({
    databases,
    databaseArgument: "when-several",
    caps: { unlimited: 1000, limited: 1000 },
    maxBytes,
    rows: new WholeRows({ rowLimit: 1000, maxBytes }),
    serial: false,
  });
  const { signal } = new AbortController();
  try {
    await use({ call: async (name, args) => (await tools.call(name, args, { signal })).json });
  } finally {
    await databases.close();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("list_tables tells schema, name and kind of tables and views", async () => {
  await withTools(SCHEMA, async ({ call }) => {
    const { db_name, tables, total_tables, truncated } = JSON.parse(await call("list_tables", {}));
    assert.deepEqual([db_name, total_tables, truncated], ["shop", 4, false]);
    assert.deepEqual(
      tables.map(({ full_name, kind }: { full_name: string; kind: string }) => [full_name, kind]),
      [
        ["main.big_orders", "view"],
        ["main.customers", "table"],
        ['main.odd "names"', "table"],
        ["main.orders", "table"],
      ],
    );
    assert.deepEqual(tables[1], {
      table_schema: "main",
      table_name: "customers",
      table_type: "table",
      table_comment: null,
      full_name: "main.customers",
      name: "customers",
      schema: "main",
      type: "table",
      kind: "table",
    });
  });
});

Deno.test("introspect_schema tells columns, keys and indexes; any name survives as a key", async () => {
  await withTools(SCHEMA, async ({ call }) => {
    const orders = JSON.parse(await call("introspect_schema", { table_pattern: "main.orders" }));
    assert.deepEqual(orders, {
      db_name: "shop",
      tables: {
        "main.orders": {
          columns: {
            id: { type: "INTEGER", nullable: false, default: null },
            customer_id: { type: "INTEGER", nullable: true, default: null },
            one: { type: "INTEGER", nullable: true, default: null },
            two: { type: "TEXT", nullable: true, default: null },
          },
          primary_keys: ["id"],
          foreign_keys: [
            "customer_id -> main.customers.id",
            '(one, two) -> main.odd "names".(1, __proto__)',
          ],
          indexes: ["orders_by_customer (customer_id, id) UNIQUE WHERE customer_id > 7"],
        },
      },
    });
    const odd = await call("introspect_schema", { table_pattern: "odd%" });
    assert.match(odd, /"main\.odd \\"names\\"":\{"columns":\{"__proto__":\{.*\},"1":\{.*\},"select":\{/);
    assert.match(odd, /"primary_keys":\["1","__proto__"\]/);
    assert.equal(
      await call("introspect_schema", { table_pattern: "nothing" }),
      '{"db_name":"shop","tables":{}}',
    );
  });
});

Deno.test("execute_sql gives the rows, and refuses to write", async () => {
  await withTools(SCHEMA, async ({ call }) => {
    const query = `SELECT 1 AS "__proto__", 2 AS "1", 3 AS "1" UNION ALL SELECT 4, NULL, x'00ff'`;
    assert.match(
      await call("execute_sql", { query }),
      /"results":\[\{"__proto__":1,"1":2,"1_2":3\},\{"__proto__":4,"1":null,"1_2":"AP8="\}\]/,
    );
    await assert.rejects(call("execute_sql", { query: "DELETE FROM orders" }), { code: "not_read_only" });
  });
});

Deno.test("after an unknown name come the nearest that exist, never the unknown one", async () => {
  const cases: readonly (readonly [sql: string, code: string, end: RegExp])[] = [
    ["SELECT * FROM ordesr", "unknown_relation", /The nearest that exist: main\.orders\b/],
    ["SELECT * FROM customer", "unknown_relation", /The nearest that exist: main\.customers\.$/],
    ["SELECT * FROM zzz", "unknown_relation", /does not exist\. list_tables tells which there are\.$/],
    ["SELECT custmer_id FROM orders", "unknown_column", /The nearest that exist: orders\.customer_id\.$/],
    ["SELECT o.twoo FROM orders o, customers", "unknown_column", /The nearest that exist: orders\.two/],
    ["SELECT qqqqq FROM orders", "unknown_column", /introspect_schema tells which there are\.$/],
  ];
  await withTools(SCHEMA, async ({ call }) => {
    for (const [query, code, message] of cases) {
      await assert.rejects(call("execute_sql", { query }), { code, message });
    }
    await assert.rejects(call("execute_sql", { query: "SELECT * FROM ordesr" }), (error: Error) => {
      return !error.message.includes("ordesr");
    });
  });
});

const MANY = Array.from({ length: 50 }, (_, index) => `CREATE TABLE table_number_${index} (a, b, c);`).join(
  "\n",
);

Deno.test("a list of tables that does not fit ends early and says so", async () => {
  await withTools(MANY, async ({ call }) => {
    const json = await call("list_tables", {});
    assert.ok(new TextEncoder().encode(json).length <= 4000);
    const { tables, total_tables, truncated, hint } = JSON.parse(json);
    assert.deepEqual([total_tables, truncated], [50, true]);
    assert.ok(tables.length > 5 && tables.length < 50);
    assert.match(hint, new RegExp(`first ${tables.length} of 50 .* introspect_schema`));
  }, 4000);
});

Deno.test("a description that does not fit is an error that says how many tables do", async () => {
  await withTools(MANY, async ({ call }) => {
    await assert.rejects(call("introspect_schema", {}), {
      code: "too_large",
      message: /^Cannot describe 50 tables: only \d+ of them fit into 4000 bytes\. .*table_pattern/,
    });
    const json = await call("introspect_schema", { table_pattern: "table_number_1_" });
    assert.equal(Object.keys(JSON.parse(json).tables).length, 10);
  }, 4000);
});
