import assert from "node:assert/strict";
import { Fault } from "../../../../src/base/fault.ts";
import { callOf, hello, modernRequest, request, serveHttpHere } from "../../../support/mcp.ts";
import { rawHttp, type RawRequest } from "../../../support/raw_http.ts";

/** Counts who gets as far as a database. */
class Counted {
  reached = 0;
  readonly list = [
    { name: "shop", dialect: "sqlite", displayName: "SQLite", description: null } as const,
  ];
  get = () => {
    this.reached++;
    return Promise.reject(new Fault("unreachable", "Cannot connect to shop: nobody answers."));
  };
}

const CALL = JSON.stringify(request(1, "tools/call", callOf("list_tables", {})));

type Case = (port: number) => RawRequest;
const host = (value: string | readonly string[] | undefined): RawRequest => ({ headers: { Host: value } });
const origin = (value: string | readonly string[]): RawRequest => ({ headers: { Origin: value } });

/** Each would be a call of a tool but for one header. */
const FOREIGN: { readonly [what: string]: Case } = {
  "another host": (port) => host(`evil.example:${port}`),
  "another host and its origin": (port) => ({
    headers: { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` },
  }),
  "no host": () => host(undefined),
  "an empty host": () => host(""),
  "a host without the port": () => host("127.0.0.1"),
  "a host with another port": (port) => host(`127.0.0.1:${port + 1}`),
  "a host with a port that only looks the same": (port) => host(`127.0.0.1:0${port}`),
  "a host in upper case": (port) => host(`LOCALHOST:${port}`),
  "a host with a trailing dot": (port) => host(`localhost.:${port}`),
  "a host with userinfo": (port) => host(`evil.example@localhost:${port}`),
  "a host with a path": (port) => host(`localhost:${port}/evil.example`),
  "a subdomain of a host": (port) => host(`localhost.evil.example:${port}`),
  "IPv6 loopback as host": (port) => host(`[::1]:${port}`),
  "IPv4 in IPv6 as host": (port) => host(`[::ffff:127.0.0.1]:${port}`),
  "the unspecified address as host": (port) => host(`0.0.0.0:${port}`),
  "another loopback address as host": (port) => host(`127.0.0.2:${port}`),
  "a short loopback address as host": (port) => host(`127.1:${port}`),
  "a number as host": (port) => host(`2130706433:${port}`),
  "two hosts": (port) => host([`127.0.0.1:${port}`, `evil.example:${port}`]),
  "two good hosts": (port) => host([`127.0.0.1:${port}`, `127.0.0.1:${port}`]),
  "another origin": () => origin("http://evil.example"),
  "the origin null": () => origin("null"),
  "an empty origin": () => origin(""),
  "the own origin over https": (port) => origin(`https://127.0.0.1:${port}`),
  "the own origin at another port": (port) => origin(`http://127.0.0.1:${port + 1}`),
  "the own origin without a port": () => origin("http://127.0.0.1"),
  "the own origin with a slash": (port) => origin(`http://127.0.0.1:${port}/`),
  "the own origin in upper case": (port) => origin(`HTTP://127.0.0.1:${port}`),
  "the own origin with userinfo": (port) => origin(`http://evil.example@127.0.0.1:${port}`),
  "the origin of the other name": (port) => origin(`http://localhost:${port}`),
  "the origin of IPv6 loopback": (port) => origin(`http://[::1]:${port}`),
  "a file's origin": () => origin("file://"),
  "an extension's origin": () => origin("chrome-extension://abcdefghijklmnop"),
  "two origins": (port) => origin([`http://127.0.0.1:${port}`, "http://evil.example"]),
  "a whole URL of another host": (port) => ({
    target: `http://evil.example:${port}/mcp`,
    ...host("evil.example"),
  }),
  "a whole URL of another host, and the own host": (port) => ({ target: `http://evil.example:${port}/mcp` }),
  "a whole URL of another port": (port) => ({ target: `http://127.0.0.1:${port + 1}/mcp` }),
  "a whole URL with userinfo": (port) => ({ target: `http://127.0.0.1:${port}@evil.example/mcp` }),
  "a whole URL over https": (port) => ({ target: `https://127.0.0.1:${port}/mcp` }),
};

Deno.test("what may come from a web page is refused before anything is read of it", async () => {
  const databases = new Counted();
  await using server = await serveHttpHere(databases);
  for (const [what, make] of Object.entries(FOREIGN)) {
    for (const method of ["POST", "GET", "OPTIONS"]) {
      const { status, headers, body } = await rawHttp(server.port, {
        body: CALL,
        ...make(server.port),
        method,
      });
      assert.ok(status === 403 || status === 400, `${method} with ${what}: ${status}`);
      assert.ok(!("access-control-allow-origin" in headers), what);
      assert.ok(!body.includes("evil"), what);
    }
  }
  assert.equal(databases.reached, 0);
});

const OWN: { readonly [what: string]: Case } = {
  "127.0.0.1": () => ({}),
  localhost: (port) => host(`localhost:${port}`),
  "127.0.0.1 in a whole URL": (port) => ({ target: `http://127.0.0.1:${port}/mcp` }),
  "127.0.0.1 with its origin": (port) => origin(`http://127.0.0.1:${port}`),
  "localhost with its origin": (port) => ({
    headers: { Host: `localhost:${port}`, Origin: `http://localhost:${port}` },
  }),
};

Deno.test("the server's own names are taken, with their origin or none", async () => {
  const databases = new Counted();
  await using server = await serveHttpHere(databases);
  for (const [what, make] of Object.entries(OWN)) {
    const { status, body } = await rawHttp(server.port, { body: CALL, ...make(server.port) });
    assert.equal(status, 200, what);
    assert.match(body, /\[unreachable\] Cannot connect to shop/);
  }
  assert.equal(databases.reached, Object.keys(OWN).length);
});

const HELLO = JSON.stringify(hello()[0]);
const DISCOVER = JSON.stringify(modernRequest(1, "server/discover"));
const modern = (version: string, method: string) => ({
  "MCP-Protocol-Version": version,
  "Mcp-Method": method,
});
const LARGE = JSON.stringify(request(1, "ping", { text: "x".repeat(4 << 20) }));

/** Requests, and the status each deserves. */
const STATUSES: { readonly [what: string]: readonly [status: number, request: RawRequest] } = {
  "a handshake": [200, { body: HELLO }],
  "a notification": [202, { body: JSON.stringify(hello()[1]) }],
  "a discovery": [200, { body: DISCOVER, headers: modern("2026-07-28", "server/discover") }],
  "a session that is not known": [200, { body: CALL, headers: { "Mcp-Session-Id": "gone" } }],
  "another path": [404, { target: "/", body: CALL }],
  "a path below": [404, { target: "/mcp/", body: CALL }],
  "a path in upper case": [404, { target: "/MCP", body: CALL }],
  "a path with an escape": [404, { target: "/mc%70", body: CALL }],
  "a very long path": [414, { target: `/mcp?${"x".repeat(8000)}`, body: CALL }],
  GET: [405, { method: "GET" }],
  DELETE: [405, { method: "DELETE" }],
  OPTIONS: [405, { method: "OPTIONS" }],
  HEAD: [405, { method: "HEAD" }],
  PUT: [405, { method: "PUT", body: CALL }],
  PATCH: [405, { method: "PATCH", body: CALL }],
  TRACE: [405, { method: "TRACE" }],
  "an unheard-of method": [405, { method: "BREW" }],
  "no Accept": [406, { body: CALL, headers: { Accept: undefined } }],
  "Accept of half": [406, { body: CALL, headers: { Accept: "application/json" } }],
  "Accept of anything else": [406, { body: CALL, headers: { Accept: "text/html" } }],
  "no Content-Type": [415, { body: CALL, headers: { "Content-Type": undefined } }],
  "a form": [415, { body: CALL, headers: { "Content-Type": "application/x-www-form-urlencoded" } }],
  "plain text": [415, { body: CALL, headers: { "Content-Type": "text/plain" } }],
  "plain text that mentions JSON": [415, {
    body: CALL,
    headers: { "Content-Type": "text/plain; application/json" },
  }],
  "a body that says it is too large": [413, { headers: { "Content-Length": String(1e9) } }],
  "a body that is too large": [413, { body: LARGE }],
  "no body": [400, {}],
  "no JSON": [400, { body: "{" }],
  "no UTF-8": [400, { body: Uint8Array.of(0x22, 0xff, 0x22) }],
  "JSON that is no message": [400, { body: "{}" }],
  "an empty batch": [400, { body: "[]" }],
  "deep nesting": [400, { body: "[".repeat(100_000) + "]".repeat(100_000) }],
  "a revision that does not exist": [400, { body: CALL, headers: { "MCP-Protocol-Version": "1999-01-01" } }],
  "two revisions": [400, { body: CALL, headers: { "MCP-Protocol-Version": ["2025-11-25", "2025-06-18"] } }],
  "a method that differs from its header": [
    400,
    { body: DISCOVER, headers: modern("2026-07-28", "tools/list") },
  ],
  "a method that does not exist": [
    404,
    { body: JSON.stringify(modernRequest(1, "no/such")), headers: modern("2026-07-28", "no/such") },
  ],
};

for (const [what, [expected, request]] of Object.entries(STATUSES)) {
  Deno.test(`HTTP ${expected} for ${what}`, async () => {
    await using server = await serveHttpHere(new Counted());
    const { status, headers, body } = await rawHttp(server.port, request);
    assert.equal(status, expected, body);
    assert.equal("mcp-session-id" in headers, what === "a handshake");
    if (status === 405) assert.equal(headers.allow, "POST");
    if (status < 400 || request.method === "HEAD") return;
    const error = JSON.parse(body);
    assert.equal(error.jsonrpc, "2.0");
    assert.equal(typeof error.error.code, "number");
  });
}
