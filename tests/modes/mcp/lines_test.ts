import assert from "node:assert/strict";
import { Fault } from "../../../src/base/fault.ts";
import type { DatabaseSet } from "../../../src/tools/tool.ts";
import type { Message } from "../../support/line_peer.ts";
import { callOf, hello, modernRequest, request, REVISIONS, serveHere } from "../../support/mcp.ts";
import { SOON_MS } from "../../support/patience.ts";

/** Nothing here opens a database: the protocol must work while all of them are away. */
const away: DatabaseSet = {
  list: [{ name: "shop", dialect: "postgres", displayName: "PostgreSQL", description: null }],
  get: () => Promise.reject(new Fault("unreachable", "Cannot connect to shop: nobody answers.")),
};

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Sends the lines after a handshake, ends the input and returns what came, the handshake's answer left out. */
async function exchange(...lines: (string | Uint8Array)[]): Promise<Message[]> {
  const { peer, done } = serveHere(away);
  await peer.send(...hello());
  await peer.answer("hello");
  for (const line of lines) await peer.write(line);
  await peer.close();
  await Promise.all([done, peer.ended]);
  return peer.messages.filter(({ id }) => id !== "hello");
}

const ping = (id: string | number) => `${JSON.stringify(request(id, "ping"))}\n`;

for (const revision of REVISIONS) {
  Deno.test(`a client of ${revision} shakes hands and lists the tools`, async () => {
    const { peer, done } = serveHere(away);
    await peer.send(...hello(revision), request(0, "tools/list"));
    const { result } = await peer.answer("hello");
    assert.equal(result?.protocolVersion, revision);
    assert.deepEqual(result?.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
    const list = await peer.answer(0);
    assert.ok(Array.isArray(list.result?.tools) && list.result.tools.length === 4);
    await peer.close();
    await done;
  });
}

Deno.test("a client of 2026-07-28 discovers the server and calls a tool without shaking hands", async () => {
  const { peer, done } = serveHere(away);
  await peer.send(
    modernRequest(0, "server/discover"),
    modernRequest(1, "tools/list"),
    modernRequest(2, "tools/call", callOf("list_dbs", {})),
  );
  assert.deepEqual((await peer.answer(0)).result?.supportedVersions, ["2026-07-28"]);
  const list = await peer.answer(1);
  assert.ok(Array.isArray(list.result?.tools) && list.result.tools.length === 4);
  const { result } = await peer.answer(2);
  assert.equal(result?.resultType, "complete");
  const databases = [{ name: "shop", display_name: "PostgreSQL", dialect: "postgres", description: null }];
  assert.deepEqual(result?.structuredContent, { databases, total_databases: 1 });
  await peer.close();
  await done;
});

Deno.test("an unknown revision is answered with the newest of its era", async () => {
  const { peer, done } = serveHere(away);
  await peer.send(...hello("1999-01-01"));
  assert.equal((await peer.answer("hello")).result?.protocolVersion, "2025-11-25");
  await peer.close();
  await done;
});

Deno.test("every cut of the input gives the same answers", async () => {
  const bytes = new TextEncoder().encode(ping(0) + ping("ü"));
  const whole = await exchange(bytes);
  assert.deepEqual(whole.map(({ id }) => id), [0, "ü"]);
  for (let cut = 1; cut < bytes.length; cut += 7) {
    assert.deepEqual(await exchange(bytes.subarray(0, cut), bytes.subarray(cut)), whole);
  }
});

Deno.test("CRLF, a byte order mark and blank lines are tolerated", async () => {
  const answers = await exchange(`\ufeff${ping(1)}`, "\r\n\n  \n", ping(2).replace("\n", "\r\n"));
  assert.deepEqual(answers.map(({ id }) => id), [1, 2]);
});

Deno.test("what is no message is answered without id, and the connection stays", async () => {
  const lines = ["junk", "[]", `[${ping(7).trim()}]`, "null", "7", "{}", '{"jsonrpc":"2.0","id":7}', "{"];
  const answers = await exchange(...lines.map((line) => `${line}\n`), new Uint8Array([0xff, 0x0a]), ping(1));
  assert.deepEqual(
    answers.map(({ id, error }) => id ?? error?.code),
    [
      PARSE_ERROR,
      ...Array.from({ length: 6 }, () => INVALID_REQUEST),
      PARSE_ERROR,
      PARSE_ERROR,
      1,
    ],
  );
});

Deno.test("ids that are no string and no integer are refused; a request that is wrong otherwise gets its id back", async () => {
  const answers = await exchange(
    '{"jsonrpc":"2.0","id":null,"method":"ping"}\n',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n',
    '{"jsonrpc":"2.0","id":3,"method":4}\n',
    '{"id":"old","method":"ping"}\n',
    ping(""),
  );
  assert.deepEqual(answers.map(({ id, error }) => [id, error?.code]), [
    [undefined, INVALID_REQUEST],
    [undefined, INVALID_REQUEST],
    [3, INVALID_REQUEST],
    ["old", INVALID_REQUEST],
    ["", undefined],
  ]);
});

Deno.test("a line of 3 MB is read, one of more than 10 MB refused, and the next is whole", async () => {
  const padded = (bytes: number) =>
    `${JSON.stringify(request(1, "ping", { _meta: { pad: "x".repeat(bytes) } }))}\n`;
  const answers = await exchange(padded(3_000_000), padded(10_000_000), ping(2));
  const came = answers.map(({ id, error }) => id ?? error?.code); // a refusal may overtake an answer
  assert.deepEqual(came.sort(), [PARSE_ERROR, 1, 2]);
});

Deno.test("the unterminated last line is dropped", async () => {
  assert.deepEqual((await exchange(ping(1), ping(2).trimEnd())).map(({ id }) => id), [1]);
});

Deno.test("notifications are never answered, also unknown ones and those for unknown requests", async () => {
  const notify = (method: string, params?: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`;
  const answers = await exchange(
    notify("notifications/nothing"),
    notify("ping"),
    notify("notifications/cancelled", { requestId: 99 }),
    notify("notifications/cancelled", {}),
    notify("notifications/progress", { progressToken: 1, progress: 1 }),
    '{"jsonrpc":"2.0","id":5,"result":{}}\n',
    ping(1),
  );
  assert.deepEqual(answers.map(({ id }) => id), [1]);
});

Deno.test("500 requests in one chunk are all answered in order", async () => {
  const ids = Array.from({ length: 500 }, (_, index) => index);
  const answers = await exchange(ids.map(ping).join(""));
  assert.deepEqual(answers.map(({ id }) => id), ids);
});

Deno.test("a reused id is answered each time", async () => {
  assert.deepEqual((await exchange(ping(1) + ping(1))).map(({ id }) => id), [1, 1]);
});

Deno.test("unknown methods and tools are protocol errors, failures of tools are results", async () => {
  const call = (id: number, name: string, args: unknown) =>
    `${JSON.stringify(request(id, "tools/call", { name, arguments: args }))}\n`;
  const answers = await exchange(
    `${JSON.stringify(request(1, "resources/subscribe"))}\n`,
    call(2, "drop_table", {}),
    call(3, "list_tables", { db_name: "other" }),
    call(4, "execute_sql", { query: "select 1", readonly: false }),
    call(5, "execute_sql", { query: "select 1" }),
  );
  const byId = (id: number) => answers.find((message) => message.id === id);
  assert.equal(byId(1)?.error?.code, -32601);
  assert.equal(byId(2)?.error?.code, -32602);
  const text = (id: number) => byId(id)?.result;
  const failed = (text: string) => ({ content: [{ type: "text", text }], isError: true });
  assert.deepEqual(
    text(3),
    failed("[unknown_database] Cannot find the database: db_name must be one of shop."),
  );
  assert.deepEqual(
    text(4),
    failed(
      '[bad_request] Cannot call execute_sql: it has no argument "readonly". Its arguments: query, db_name.',
    ),
  );
  assert.deepEqual(text(5), failed("[unreachable] Cannot connect to shop: nobody answers."));
});

Deno.test("a null in the place of what may be left out is as if it were", async () => {
  const answers = await exchange(
    `${JSON.stringify(request(1, "tools/call", { name: "list_dbs", arguments: null }))}\n` +
      `${JSON.stringify(request(2, "tools/list", null))}\n`,
  );
  assert.match(JSON.stringify(answers.find(({ id }) => id === 1)), /"total_databases":1/);
  assert.match(JSON.stringify(answers.find(({ id }) => id === 2)), /"name":"execute_sql"/);
});

Deno.test("parameters of another shape are refused in a sentence that names them", async () => {
  const params: { readonly [what: string]: readonly [method: string, params: unknown] } = {
    "params.arguments": ["tools/call", { name: "list_dbs", arguments: "{}" }],
    "params.name": ["tools/call", { arguments: {} }],
    "params.cursor": ["tools/list", { cursor: 5 }],
    "params.protocolVersion": ["initialize", {}],
  };
  for (const [what, [method, sent]] of Object.entries(params)) {
    const [answer] = await exchange(`${JSON.stringify(request(1, method, sent))}\n`);
    assert.equal(answer?.error?.code, -32602);
    assert.match(String(answer.error.message), new RegExp(`${what}: Invalid input: expected`));
    assert.ok(!String(answer.error.message).includes("\n"));
  }
});

Deno.test("when the program is told to stop, the client is let go at once", async () => {
  const { peer, done, stop } = serveHere(away);
  await peer.send(...hello());
  await peer.answer("hello");
  const begun = performance.now();
  stop();
  await done;
  assert.ok(performance.now() - begun < SOON_MS);
});

Deno.test("when nobody reads the output any more, the server ends", async () => {
  const { peer, done } = serveHere(away, { write: () => Promise.reject(new Deno.errors.BrokenPipe()) });
  await peer.send(...hello());
  await done;
});
