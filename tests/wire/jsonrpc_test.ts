/**
 * The JSON-RPC spelling, line by line.
 */
import assert from "node:assert/strict";
import { Fault, type FaultCode } from "../../src/base/fault.ts";
import { jsonrpc } from "../../src/wire/jsonrpc.ts";

function refusal(line: string): unknown {
  const frame = jsonrpc.decode(line);
  return frame.kind === "reply" ? JSON.parse(jsonrpc.encode(frame) ?? "null") : undefined;
}

Deno.test("a request keeps its method, params and id; params may be left out", () => {
  assert.deepEqual(jsonrpc.decode('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":[1]}}'), {
    kind: "request",
    id: 7,
    method: "ping",
    params: { a: [1] },
  });
  assert.deepEqual(jsonrpc.decode('{"jsonrpc":"2.0","id":"a","method":"ping"}'), {
    kind: "request",
    id: "a",
    method: "ping",
    params: {},
  });
});

Deno.test("a request without an id is a notification: it has no reply, not even an error", () => {
  const frame = jsonrpc.decode('{"jsonrpc":"2.0","method":"cancel","params":{"id":42}}');
  assert.equal(frame.kind, "request");
  assert.equal("id" in frame, false);
  assert.equal(jsonrpc.encode({ kind: "reply", method: "cancel", outcome: {} }), undefined);
  const fault = new Fault("unknown_command", "Unknown command: cancel");
  assert.equal(jsonrpc.encode({ kind: "reply", method: "cancel", outcome: { fault } }), undefined);
});

Deno.test("an id is echoed with all its digits", () => {
  const frame = jsonrpc.decode('{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}');
  assert.equal(
    jsonrpc.encode({ kind: "reply", id: frame.id ?? null, method: "x", outcome: { data: null } }),
    '{"jsonrpc":"2.0","id":9007199254740993,"result":null}',
  );
});

Deno.test("a line that is no request is answered with the number the specification gives", () => {
  const cases: [line: string, id: unknown, code: number][] = [
    ["{", null, -32700],
    ["1", null, -32600],
    ["null", null, -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"}]', null, -32600],
    ['{"id":5}', 5, -32600],
    ['{"id":5,"method":""}', 5, -32600],
    ['{"id":"a","method":1}', "a", -32600],
    ['{"id":{},"method":"a"}', null, -32600],
    ['{"id":1.5,"method":"a"}', null, -32600],
    ['{"method":1}', null, -32600],
  ];
  for (const [line, id, code] of cases) {
    const reply = refusal(line);
    assert.ok(typeof reply === "object" && reply && "error" in reply && "id" in reply, line);
    assert.ok(typeof reply.error === "object" && reply.error && "code" in reply.error, line);
    assert.deepEqual([reply.id, reply.error.code], [id, code], line);
    assert.equal("result" in reply, false);
  }
});

Deno.test("faults become numbers; the fault's own code travels as data", () => {
  const numbers: [code: FaultCode, number: number][] = [
    ["bad_request", -32602],
    ["internal", -32603],
    ["busy", -32603],
    ["database_error", -32603],
  ];
  for (const [code, number] of numbers) {
    const line = jsonrpc.encode({
      kind: "reply",
      id: 1,
      method: "a",
      outcome: { fault: new Fault(code, "why") },
    });
    assert.equal(
      line,
      `{"jsonrpc":"2.0","id":1,"error":{"code":${number},"message":"why","data":{"code":"${code}"}}}`,
    );
  }
  const fault = new Fault("unknown_command", "Unknown command: get_x");
  const line = jsonrpc.encode({ kind: "reply", id: 1, method: "get_x", outcome: { fault } });
  assert.match(line ?? "", /"code":-32601,"message":"Method not found: get_x"/);
});

Deno.test("no data is the result null; an event is a notification", () => {
  assert.equal(
    jsonrpc.encode({ kind: "reply", id: null, method: "a", outcome: {} }),
    '{"jsonrpc":"2.0","id":null,"result":null}',
  );
  assert.equal(
    jsonrpc.encode({ kind: "event", method: "progress", data: { done: 1 } }),
    '{"jsonrpc":"2.0","method":"progress","params":{"done":1}}',
  );
});
