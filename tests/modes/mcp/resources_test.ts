import assert from "node:assert/strict";
import type { Databases } from "../../../src/db/databases.ts";
import { readResourceUri, resourceUri } from "../../../src/modes/mcp/resource_uri.ts";
import type { Message } from "../../support/line_peer.ts";
import { callOf, hello, modernRequest, request, serveHere } from "../../support/mcp.ts";
import { shopAndAway, shops } from "../../support/mcp_databases.ts";

type Ask = (method: string, params?: object) => Promise<Message>;

/** A session over these databases; everything is closed behind it. */
async function withServer(databases: Databases, work: (ask: Ask) => Promise<void>): Promise<void> {
  const { peer, done } = serveHere(databases);
  await peer.send(...hello());
  let id = 0;
  await work(async (method, params) => {
    id++;
    await peer.send(request(id, method, params));
    return await peer.answer(id);
  });
  await peer.close();
  await done;
  await databases.close();
}

function contentOf({ result }: Message): unknown {
  const [content] = Array.isArray(result?.contents) ? result.contents : [];
  assert.equal(content?.mimeType, "application/json");
  return JSON.parse(content.text);
}

Deno.test("an address says its database and table, whatever their names", () => {
  for (
    const name of [
      { database: "shop" },
      { database: "orders + 2 more/%" },
      { database: "ünï", table: 'main.a"/?#%.b' },
    ]
  ) assert.deepEqual(readResourceUri(resourceUri(name)), name);
  for (
    const uri of [
      "",
      "saber://shop",
      "saber://shop/tables/",
      "saber:///tables",
      "saber://shop/schema/",
      "saber://shop/schema/a/b",
      "saber://%ff/tables",
      "https://shop/tables",
      "saber://shop/tables?x=1",
    ]
  ) assert.equal(readResourceUri(uri), undefined, uri);
});

Deno.test("resources hold what the tools answer", async () => {
  await withServer(await shops("shop", "second shop"), async (ask) => {
    const { resources } = (await ask("resources/list")).result ?? {};
    assert.ok(Array.isArray(resources));
    assert.deepEqual(resources.map(({ uri }) => uri), [
      "saber://shop/tables",
      "saber://second%20shop/tables",
    ]);
    const tables = await ask("tools/call", callOf("list_tables", { db_name: "second shop" }));
    assert.deepEqual(
      contentOf(await ask("resources/read", { uri: "saber://second%20shop/tables" })),
      tables.result?.structuredContent,
    );
    const orders = await ask(
      "tools/call",
      callOf("introspect_schema", { db_name: "shop", table_pattern: "main.orders" }),
    );
    assert.deepEqual(
      contentOf(await ask("resources/read", { uri: "saber://shop/schema/main.orders" })),
      orders.result?.structuredContent,
    );
    const uri = resourceUri({ database: "shop", table: 'main.Weird "Name" - ünï' });
    assert.match(JSON.stringify(contentOf(await ask("resources/read", { uri }))), /"columns":\{"/);
  });
});

Deno.test("what is in no catalogue is no resource, and no pattern", async () => {
  await withServer(await shops("shop"), async (ask) => {
    for (
      const uri of [
        "saber://other/tables",
        "saber://shop/schema/main.order%25",
        "saber://shop/schema/main.order_",
        "saber://shop/schema/orders",
        "saber://shop/schema/main.orders%22%20UNION%20SELECT%201--",
        "saber://shop/schema/main.sqlite_schema",
        "file:///etc/passwd",
      ]
    ) {
      const { error } = await ask("resources/read", { uri });
      assert.deepEqual([error?.code, error?.data], [-32602, { uri }]);
    }
  });
});

Deno.test("a database that is away is told without its password, and stops neither lists nor the others", async () => {
  await withServer(await shopAndAway(), async (ask) => {
    const { resources } = (await ask("resources/list")).result ?? {};
    assert.equal(Array.isArray(resources) && resources.length, 2);
    const { error } = await ask("resources/read", { uri: "saber://away/tables" });
    assert.equal(error?.code, -32603);
    assert.match(error?.message ?? "", /^\[unreachable\] Cannot connect/);
    assert.ok(!JSON.stringify(error).includes("not-for-any-answer"));
    assert.ok(contentOf(await ask("resources/read", { uri: "saber://shop/tables" })));
  });
});

Deno.test("long lists come in pages of 100, and a cursor that no page gave is refused", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `shop-${index}`);
  await withServer(await shops(...names), async (ask) => {
    const listed: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await ask("resources/list", cursor === undefined ? {} : { cursor });
      assert.ok(Array.isArray(result?.resources) && result.resources.length <= 100);
      listed.push(...result.resources.map(({ uri }) => uri));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(listed, names.map((name) => `saber://${name}/tables`));
    for (const method of ["resources/list", "resources/templates/list", "tools/list", "prompts/list"]) {
      for (const cursor of ["", "100", "from-0", "from-250", "from-1e1", "from--1"]) {
        assert.equal((await ask(method, { cursor })).error?.code, -32602, `${method} ${cursor}`);
      }
    }
  });
});

Deno.test("clients of 2026 are told how long they may keep what they got", async () => {
  const databases = await shops("shop");
  const { peer, done } = serveHere(databases);
  await peer.send(
    modernRequest(1, "tools/list"),
    modernRequest(2, "resources/list"),
    modernRequest(3, "resources/read", { uri: "saber://shop/tables" }),
    modernRequest(4, "prompts/list"),
  );
  for (const [id, ttlMs] of [[1, 300_000], [2, 300_000], [3, 60_000], [4, 300_000]] as const) {
    const { result } = await peer.answer(id);
    assert.deepEqual([result?.ttlMs, result?.cacheScope], [ttlMs, "private"]);
  }
  await peer.close();
  await done;
  await databases.close();
});
