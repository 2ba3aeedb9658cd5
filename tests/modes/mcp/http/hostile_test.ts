import assert from "node:assert/strict";
import { request, serveHttpHere } from "../../../support/mcp.ts";
import { bytesOf, goodHeaders, rawHttp, read, write } from "../../../support/raw_http.ts";

const databases = { list: [], get: () => assert.fail("no attack reaches a database") };
const PING = JSON.stringify(request(1, "ping"));
/** The server's own bounds. */
const MAX_REQUESTS = 128;
const BODY_MS = 10_000;

/** The head of a message in order, up to its last line. */
function head(port: number, ...lines: string[]): string {
  const headers = Object.entries(goodHeaders(port)).map(([name, value]) => `${name}: ${value}`);
  return ["POST /mcp HTTP/1.1", ...headers, ...lines, "", ""].join("\r\n");
}

/** Bytes that are no request in order, and what the server may answer (nothing: it closes). */
const ATTACKS: { readonly [what: string]: (port: number) => { bytes: string; statuses: readonly number[] } } =
  {
    "no HTTP at all": () => ({ bytes: "\x00\x01\x02\r\n\r\n", statuses: [400] }),
    "HTTP/0.9": () => ({ bytes: "GET /mcp\r\n\r\n", statuses: [400] }),
    "HTTP/1.0 without a host": () => ({
      bytes: "POST /mcp HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}",
      statuses: [403],
    }),
    "two lengths": (port) => ({
      bytes: head(port, "Content-Length: 2", "Content-Length: 38") + PING,
      statuses: [400],
    }),
    "a length and chunks": (port) => ({
      bytes: head(port, "Content-Length: 5", "Transfer-Encoding: chunked") +
        "0\r\n\r\nPOST /mcp HTTP/1.1\r\n\r\n",
      statuses: [400],
    }),
    "a negative length": (port) => ({ bytes: head(port, "Content-Length: -1"), statuses: [400] }),
    "a chunk without a size": (port) => ({
      bytes: head(port, "Transfer-Encoding: chunked") + "ZZ\r\n",
      statuses: [0, 400],
    }),
    "chunks without end": (port) => ({
      bytes: head(port, "Transfer-Encoding: chunked") + `10000\r\n${"x".repeat(65_536)}\r\n`.repeat(70),
      statuses: [413],
    }),
    "a body of 100 MB": (port) => ({
      bytes: head(port, "Content-Length: 100000000") + "x".repeat(100_000_000),
      statuses: [413, 0], // the server may reset the connection before its answer is read
    }),
    "a header of 2 MB": (port) => ({
      bytes: head(port, `X: ${"x".repeat(2_000_000)}`),
      statuses: [400, 431, 0],
    }),
    "5,000 headers": (port) => ({
      bytes: head(port, ...Array.from({ length: 5000 }, (_, index) => `X-${index}: 1`)),
      statuses: [400, 431],
    }),
    "a NUL in a header": (port) => ({ bytes: head(port, "X: a\x00b"), statuses: [400] }),
    "a path with a space": (port) => ({
      bytes: head(port).replace("/mcp", "/mcp /x"),
      statuses: [400],
    }),
    CONNECT: (port) => ({ bytes: head(port).replace("POST /mcp", "CONNECT 127.0.0.1:22"), statuses: [403] }),
    "a batch of 101": (port) => {
      const body = `[${Array(101).fill(PING).join(",")}]`;
      return { bytes: head(port, `Content-Length: ${body.length}`) + body, statuses: [400] };
    },
  };

for (const [what, attack] of Object.entries(ATTACKS)) {
  Deno.test(`the server outlives ${what}`, async () => {
    await using server = await serveHttpHere(databases);
    const { bytes, statuses } = attack(server.port);
    {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
      const answer = read(connection);
      await write(connection, new TextEncoder().encode(bytes)).catch(() => {}); // the server may have closed
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(await answer)?.[1] ?? 0);
      assert.ok(statuses.includes(status), `${status}`);
    }
    assert.equal((await rawHttp(server.port, { body: PING })).status, 200);
  });
}

Deno.test("requests that don't wait for answers are all answered, in order", async () => {
  await using server = await serveHttpHere(databases);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  for (const id of [1, 2, 3]) {
    const body = JSON.stringify(request(id, "ping"));
    const headers = { Connection: id === 3 ? "close" : "keep-alive" };
    await write(connection, bytesOf(server.port, { body, headers }));
  }
  const ids = Array.from((await read(connection)).matchAll(/"id":(\d)/g), ([, id]) => id);
  assert.deepEqual(ids, ["1", "2", "3"]);
});

Deno.test("bodies that never come fill the server for ten seconds, not longer", async () => {
  await using server = await serveHttpHere(databases);
  const slow = await Promise.all(Array.from({ length: MAX_REQUESTS }, async () => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    await write(connection, new TextEncoder().encode(`${head(server.port, "Content-Length: 100")}{`));
    return connection;
  }));
  const begun = performance.now();
  let status = 0;
  while (status !== 503 && performance.now() - begun < BODY_MS) {
    ({ status } = await rawHttp(server.port, { body: PING })); // until all have been read
  }
  assert.equal(status, 503);
  const answers = await Promise.all(slow.map(read));
  assert.ok(answers.every((answer) => answer.startsWith("HTTP/1.1 408 ")));
  assert.equal((await rawHttp(server.port, { body: PING })).status, 200);
  for (const connection of slow) connection.close();
});

Deno.test("parameters of another shape are refused in a sentence, and null is as good as nothing", async () => {
  await using server = await serveHttpHere(databases);
  const call = async (args: unknown) => {
    const body = JSON.stringify(request(1, "tools/call", { name: "list_dbs", arguments: args }));
    return await rawHttp(server.port, { body });
  };
  const { status, body } = await call("{}");
  assert.equal(status, 200);
  assert.match(body, /"message":"Invalid tools\/call request: params\.arguments: Invalid input: [^"\\]+"/);
  assert.match((await call(null)).body, /"total_databases":0/);
});
