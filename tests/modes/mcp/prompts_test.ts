import assert from "node:assert/strict";
import type { Message } from "../../support/line_peer.ts";
import { hello, request, serveHere } from "../../support/mcp.ts";
import { shopAndAway, shops } from "../../support/mcp_databases.ts";

/** What one request is answered by a server over the databases. */
async function ask(
  names: readonly string[],
  method: string,
  params: object = {},
): Promise<Record<string, unknown> & Pick<Message, "error">> {
  const databases = names.includes("away") ? await shopAndAway() : await shops(...names);
  const { peer, done } = serveHere(databases);
  await peer.send(...hello(), request(1, method, params));
  const { result, error } = await peer.answer(1);
  await peer.close();
  await done;
  await databases.close();
  return { ...result, ...(error ? { error } : {}) };
}

Deno.test("prompts say what they are and take; the database only where there are several", async () => {
  for (const names of [["shop"], ["shop", "other"]]) {
    const { prompts } = await ask(names, "prompts/list");
    assert.ok(Array.isArray(prompts));
    assert.deepEqual(prompts.map(({ name }) => name), ["explore_database", "profile_table", "write_query"]);
    for (const { title, description, arguments: args } of prompts) {
      assert.ok(title && description);
      assert.deepEqual(args.at(-1).name, "db");
      assert.equal(args.at(-1).required, names.length > 1);
    }
  }
});

Deno.test("a prompt names the database in its dialect, and holds what was asked", async () => {
  const question = "Which products sell\nworse than last year?";
  const { messages } = await ask(["shop"], "prompts/get", { name: "write_query", arguments: { question } });
  assert.ok(Array.isArray(messages) && messages.length === 1);
  assert.equal(messages[0].role, "user");
  assert.match(messages[0].content.text, /the SQLite database "shop"/);
  assert.ok(messages[0].content.text.includes(question));
  const args = { table: "public.orders", db: "away" };
  const of = await ask(["away"], "prompts/get", { name: "profile_table", arguments: args });
  assert.match(
    JSON.stringify(of.messages),
    /public\.orders of the PostgreSQL database ..away.. \(its db_name\)/,
  );
});

Deno.test("prompts that cannot be filled are refused with what is missing", async () => {
  const cases: readonly (readonly [names: string[], params: object, message: RegExp])[] = [
    [["shop"], { name: "drop_table" }, /only explore_database, profile_table, write_query$/],
    [["shop"], { name: "profile_table" }, /profile_table needs table$/],
    [["shop"], { name: "write_query", arguments: { question: " " } }, /write_query needs question$/],
    [["shop"], { name: "explore_database", arguments: { table: "x" } }, /explore_database takes db only$/],
    [["shop"], { name: "explore_database", arguments: { db: "x" } }, /db must be one of shop$/],
    [["a", "b"], { name: "explore_database" }, /db must be one of a, b$/],
  ];
  for (const [names, params, message] of cases) {
    const { error } = await ask(names, "prompts/get", params);
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", message);
  }
});

const TEMPLATE = { type: "ref/resource", uri: "saber://{db}/schema/{table}" };
const PROFILE = { type: "ref/prompt", name: "profile_table" };

async function complete(names: readonly string[], params: object) {
  return await ask(names, "completion/complete", params);
}

Deno.test("databases and tables are completed, those that begin so first", async () => {
  const db = await complete(["shop", "other shop", "else"], {
    ref: TEMPLATE,
    argument: { name: "db", value: "SHOP" },
  });
  assert.deepEqual(db.completion, { values: ["shop", "other shop"], total: 2, hasMore: false });
  const table = { name: "table", value: "order" };
  const names = ["main.order", "main.order_items", "main.order_totals", "main.orders"];
  for (const ref of [TEMPLATE, PROFILE]) {
    const one = await complete(["shop"], { ref, argument: table });
    assert.deepEqual(one.completion, { values: names, total: 4, hasMore: false });
    const chosen = await complete(["shop", "b"], {
      ref,
      argument: table,
      context: { arguments: { db: "b" } },
    });
    assert.deepEqual(chosen.completion, one.completion);
    const open = await complete(["shop", "b"], { ref, argument: table });
    assert.deepEqual(open.completion, { values: [], total: 0, hasMore: false });
  }
});

Deno.test("at most 100 names come back, with the number of all", async () => {
  const names = Array.from({ length: 130 }, (_, index) => `shop-${index}`);
  const { completion } = await complete(names, { ref: PROFILE, argument: { name: "db", value: "shop-" } });
  assert.deepEqual(completion, { values: names.slice(0, 100), total: 130, hasMore: true });
});

Deno.test("what cannot be completed is refused, and a database that is away is told", async () => {
  for (
    const params of [
      { ref: TEMPLATE, argument: { name: "column", value: "" } },
      { ref: { type: "ref/resource", uri: "saber://{db}/other" }, argument: { name: "db", value: "" } },
      { ref: { type: "ref/prompt", name: "other" }, argument: { name: "db", value: "" } },
      { ref: { type: "ref/prompt", name: "explore_database" }, argument: { name: "table", value: "" } },
    ]
  ) assert.equal((await complete(["shop"], params)).error?.code, -32602);
  const question = await complete(["shop"], {
    ref: { type: "ref/prompt", name: "write_query" },
    argument: { name: "question", value: "Wh" },
  });
  assert.deepEqual(question.completion, { values: [], total: 0, hasMore: false });
  const { error } = await complete(["away"], {
    ref: TEMPLATE,
    argument: { name: "table", value: "" },
    context: { arguments: { db: "away" } },
  });
  assert.match(error?.message ?? "", /^\[unreachable\] /);
});
