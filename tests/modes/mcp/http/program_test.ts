import assert from "node:assert/strict";
import { ask, httpCall, startCall } from "../../../support/http_calls.ts";
import { HttpProgram } from "../../../support/http_program.ts";
import { callOf, hello, request } from "../../../support/mcp.ts";
import { SOON_MS } from "../../../support/patience.ts";
import { Program, saberCommand } from "../../../support/program.ts";
import { goodHeaders } from "../../../support/raw_http.ts";
import { shop } from "../../../support/shop.ts";

const path = await shop("sqlite");
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

for (const era of ["legacy", "modern"] as const) {
  Deno.test(`a statement ends with the client that waits for it, ${era} era`, async () => {
    await using program = new HttpProgram(path, "--port", "0");
    const port = Number((await program.url()).port);
    await ask(port, httpCall(era, "SELECT 1"));
    (await startCall(port, httpCall(era, ENDLESS))).close();
    const begun = performance.now();
    const { result } = await ask(port, httpCall(era, "SELECT 2 AS two"));
    assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
    assert.match(JSON.stringify(result?.structuredContent), /"results":\[\{"two":2\}\]/);
  });

  Deno.test(`text and structured content are the same text, in the statement's order, ${era} era`, async () => {
    await using program = new HttpProgram(path, "--port", "0");
    const port = Number((await program.url()).port);
    const query =
      `SELECT 1 AS b, 2 AS "1", 9007199254740993 AS n, '"structuredContent":{}' AS s, char(8232) AS l`;
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: { ...goodHeaders(port), ...httpCall(era, query).headers },
      body: httpCall(era, query).body,
    });
    const text = await response.text();
    const results =
      '"results":[{"b":1,"1":2,"n":"9007199254740993","s":"\\"structuredContent\\":{}","l":"\\u2028"}]';
    assert.ok(text.includes(`"structuredContent":{"db_name":"shop",`), text);
    assert.ok(text.includes(results), text);
    assert.ok(text.includes(JSON.stringify(results).slice(1, -1)), text);
  });
}

Deno.test("a call is cancelled by the session it was made in, and by no other", async () => {
  await using program = new HttpProgram(path, "--port", "0");
  const url = await program.url();
  const post = async (body: unknown, session?: string) =>
    await fetch(url, {
      method: "POST",
      headers: { ...goodHeaders(Number(url.port)), ...(session ? { "Mcp-Session-Id": session } : {}) },
      body: JSON.stringify(body),
    });
  const newSession = async () => {
    const response = await post(hello()[0]);
    await response.text();
    return response.headers.get("mcp-session-id") ?? assert.fail("no session was given");
  };
  const [mine, other] = [await newSession(), await newSession()];
  assert.notEqual(mine, other);
  const call = await post(request(0, "tools/call", callOf("execute_sql", { query: ENDLESS })), mine);
  let ended = false;
  const text = call.text().finally(() => ended = true);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } };
  const cancelIn = async (session?: string) => {
    const response = await post(cancel, session);
    await response.body?.cancel();
    assert.equal(response.status, 202);
  };
  for (const session of [other, undefined, "unknown"]) await cancelIn(session);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(ended, false);
  const begun = performance.now();
  await cancelIn(mine);
  assert.equal(await text, "");
  assert.ok(performance.now() - begun < SOON_MS);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test({
    name: `${signal} ends the server soon, also while statements run`,
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await using program = new HttpProgram(path, "--port", "0");
      const port = Number((await program.url()).port);
      await ask(port, httpCall("legacy", "SELECT 1"));
      using _one = await startCall(port, httpCall("legacy", ENDLESS));
      using _two = await startCall(port, httpCall("modern", ENDLESS));
      const begun = performance.now();
      program.signal(signal);
      assert.equal((await program.exit).code, 0);
      assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
      assert.equal(await program.errors(), `saber: MCP over HTTP at http://127.0.0.1:${port}/mcp\n`);
      assert.equal(await program.line(SOON_MS), undefined);
    },
  });
}

Deno.test("only the loopback interface listens", async () => {
  await using program = new HttpProgram(path, "--port", "0");
  const port = Number((await program.url()).port);
  const others = Deno.networkInterfaces().filter(({ address }) => address !== "127.0.0.1");
  for (const { address, scopeid } of others) {
    const hostname = scopeid ? `${address}%${scopeid}` : address;
    await assert.rejects(async () => (await Deno.connect({ hostname, port })).close(), `${address} answers`);
  }
});

Deno.test("a port that another program uses is one sentence and exit code 1", async () => {
  using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using program = new HttpProgram(path, "--port", String(other.addr.port));
  assert.equal((await program.exit).code, 1);
  assert.equal(
    await program.errors(),
    `saber: Cannot listen on 127.0.0.1:${other.addr.port}: another program uses this port. ` +
      "Choose another port with --port.\n",
  );
});

Deno.test({
  name: "a server that the system gives no more connections ends with one sentence and exit code 1",
  ignore: Deno.build.os === "windows",
  async fn() {
    const limited = ['ulimit -n 64; exec "$@"', "sh", ...saberCommand()];
    const args = ["mcp", "-d", path, "--transport", "http", "--port", "0"];
    await using program = new Program({ command: ["sh", "-c", ...limited], args });
    const port = Number(new URL(await program.saying(/http:\S+\/mcp(?=\n)/)).port);
    const connect = () => Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
    const held = await Promise.all(Array.from({ length: 100 }, connect));
    // the system itself takes some that the program has not been given yet
    for (let one = await connect(); one; one = await connect()) one.close();
    for (const connection of held) connection?.close(); // on Deno 2.7 it ends when they have
    assert.equal((await program.exit).code, 1);
    assert.match(await program.errors(), /\nsaber: Cannot take more connections: [^\n]+\n$/);
  },
});

const WRONG: { readonly [sentence: string]: readonly string[] } = {
  "--port belongs to --transport http. Add that, or leave --port out.": ["--port", "8000"],
  "The transport must be stdio or http, not 'sse'.": ["--transport", "sse"],
  "The port must be a whole number from 0 to 65535, not '65536'.": ["--transport", "http", "--port", "65536"],
  "The port must be a whole number from 0 to 65535, not '8e3'.": ["--transport", "http", "--port", "8e3"],
};

for (const [sentence, flags] of Object.entries(WRONG)) {
  Deno.test(`${flags.join(" ")} is a mistake of the command line`, async () => {
    await using program = new Program({ args: ["mcp", "-d", path, ...flags] });
    assert.equal((await program.exit).code, 2);
    assert.equal(await program.errors(), `saber: ${sentence}\n`);
  });
}
