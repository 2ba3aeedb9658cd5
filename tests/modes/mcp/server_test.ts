import assert from "node:assert/strict";
import { Fault } from "../../../src/base/fault.ts";
import { faultText } from "../../../src/modes/mcp/fault_text.ts";
import { instructions } from "../../../src/modes/mcp/instructions.ts";
import type { DatabaseInfo } from "../../../src/tools/tool.ts";
import { hello, request, serveHere } from "../../support/mcp.ts";
import { SOON_MS } from "../../support/patience.ts";

function database(name: string): DatabaseInfo {
  return { name, dialect: "duckdb", displayName: "DuckDB", description: "not for the instructions" };
}

const limits = { rows: 1000, bytes: 1_000_000 };

Deno.test("instructions name the databases and limits in at most 1,200 bytes", () => {
  for (const count of [1, 2, 10, 1000]) {
    const text = instructions(
      Array.from({ length: count }, (_, index) => database(`database-${index}`)),
      limits,
    );
    assert.ok(new TextEncoder().encode(text).length <= 1200, `${text.length} units for ${count}`);
    assert.match(text, /1,000 rows and 1,000,000 bytes/);
    assert.match(text, count > 10 ? /1000 databases, named by list_dbs/ : /database-0 \(DuckDB\)/);
    assert.ok(!text.includes("not for the instructions"));
  }
});

Deno.test("the list of tools is the same every time, below 4,000 bytes, with titles and all four hints", async () => {
  const list = [database("a"), database("b")];
  const { peer, done } = serveHere({ list, get: () => assert.fail("listing tools opens nothing") });
  await peer.send(...hello(), request(1, "tools/list"), request(2, "tools/list"));
  const [first, second] = [(await peer.answer(1)).result, (await peer.answer(2)).result];
  assert.deepEqual(first, second);
  assert.ok(JSON.stringify(first).length < 4000, `${JSON.stringify(first).length} bytes`);
  const { tools } = first ?? {};
  assert.ok(Array.isArray(tools) && tools.length === 4);
  for (const { title, inputSchema, outputSchema, annotations } of tools) {
    assert.deepEqual(annotations, {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    assert.equal(inputSchema.additionalProperties, false);
    assert.equal(outputSchema.type, "object");
  }
  await peer.close();
  await done;
});

Deno.test("a failure's text never holds the server's own words", () => {
  const words = { message: "secret of the server", detail: "more" };
  const server = { ...words, position: 8 };
  assert.equal(
    faultText(new Fault("timeout", "Cannot wait longer.", { server: words })),
    "[timeout] Cannot wait longer.",
  );
  assert.equal(
    faultText(new Fault("syntax_error", "Cannot read the statement.", { server })),
    "[syntax_error] Cannot read the statement. The fault is near character 8.",
  );
});

/** A database that never answers, and one that can't be reached. */
const silent = {
  list: [database("silent"), database("away")],
  get: (name: string) =>
    name === "silent"
      ? new Promise<never>(() => {})
      : Promise.reject(new Fault("unreachable", "Cannot connect to away: nobody answers.")),
};

const call = (id: number, db_name: string, _meta?: object) =>
  request(id, "tools/call", { name: "list_tables", arguments: { db_name }, ...(_meta ? { _meta } : {}) });
const cancel = (requestId: number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

Deno.test("a running call is cancelled without an answer, id 0 too, and the next starts at once", async () => {
  const { peer, done } = serveHere(silent);
  await peer.send(...hello(), call(0, "silent"), call(1, "away"), call(2, "silent"));
  await peer.answer("hello");
  await peer.send(cancel(2), cancel(99));
  assert.deepEqual(peer.messages.map(({ id }) => id), ["hello"]);
  const begun = performance.now();
  await peer.send(cancel(0));
  await peer.answer(1);
  assert.ok(performance.now() - begun < SOON_MS);
  await peer.send(cancel(1), request(3, "ping"));
  await peer.answer(3);
  await peer.close();
  await done;
  assert.deepEqual(peer.messages.map(({ id }) => id), ["hello", 1, 3]);
});

Deno.test("progress is told to who gave a token, strictly increasing, also while a call waits", async () => {
  const { peer, done } = serveHere(silent);
  await peer.send(
    ...hello(),
    call(0, "silent", { progressToken: "p" }),
    call(1, "away", { progressToken: 0 }),
  );
  await peer.send(call(2, "silent"));
  const progressOf = (token: string | number, nth: number) =>
    peer.find(
      ({ method, params }) =>
        method === "notifications/progress" && typeof params === "object" && params !== null &&
        "progressToken" in params && params.progressToken === token && "progress" in params &&
        params.progress === nth,
      `progress ${nth} of ${token}`,
    );
  assert.match(JSON.stringify((await progressOf("p", 1)).params), /"message":"running [1-5] s"/);
  assert.match(JSON.stringify((await progressOf(0, 1)).params), /"message":"queued behind 1"/);
  assert.match(JSON.stringify((await progressOf("p", 2)).params), /"message":"running \d+ s"/);
  await peer.send(cancel(0), cancel(2));
  await peer.answer(1);
  await peer.close();
  await done;
  const told = peer.messages.filter(({ method }) => method !== undefined);
  assert.ok(told.every(({ params }) => /"progressToken":("p"|0),/.test(JSON.stringify(params))));
});

Deno.test("at the end of the input a call under way has half a second, then it is stopped", async () => {
  const { peer, done } = serveHere(silent);
  await peer.send(...hello(), call(0, "silent"), call(1, "away"));
  await peer.close();
  const begun = performance.now();
  await done;
  const took = performance.now() - begun;
  assert.ok(took > 400 && took < SOON_MS, `${took} ms`);
  assert.deepEqual(peer.messages.map(({ id }) => id), ["hello"]);
});
