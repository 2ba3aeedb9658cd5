/**
 * The JSONL spelling, line by line.
 */
import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { RawJson } from "../../src/base/json.ts";
import { jsonl } from "../../src/wire/jsonl.ts";

/** What a line that is no request is answered with. */
function refusal(line: string): string | undefined {
  const frame = jsonl.decode(line);
  return frame.kind === "reply" ? jsonl.encode(frame) : undefined;
}

Deno.test("a command keeps its type, its id and all its fields", () => {
  const line = '{"id":"q1","type":"prompt","message":"hi","extra":[1]}';
  assert.deepEqual(jsonl.decode(line), {
    kind: "request",
    id: "q1",
    method: "prompt",
    params: JSON.parse(line),
  });
});

Deno.test("an id is echoed exactly; null and none are the same", () => {
  const ids = [
    '"q"',
    '""',
    "0",
    "-7",
    "9007199254740991",
    "9007199254740993",
    "-123456789012345678901234567890",
  ];
  for (const id of ids) {
    const frame = jsonl.decode(`{"a":{"id":1},"id" : ${id},"type":"x","b":[{"id":9007199254740995}]}`);
    assert.equal(frame.kind, "request");
    const reply = jsonl.encode({
      kind: "reply",
      method: "x",
      outcome: {},
      ...(frame.id === undefined ? {} : { id: frame.id }),
    });
    assert.equal(reply, `{"type":"response","command":"x","success":true,"id":${id}}`);
  }
  for (const none of ['{"type":"x"}', '{"type":"x","id":null}']) {
    assert.deepEqual(jsonl.decode(none), { kind: "request", method: "x", params: JSON.parse(none) });
  }
});

Deno.test("a long id is read from a line that is nested deeper than a stack, and the last of several counts", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const line = `{"id":1,"a":${deep},"i\\u0064":12345678901234567890,"type":"x"}`;
  assert.equal(jsonl.decode(line).id, 12345678901234567890n);
});

Deno.test("any other id is refused under the command's own name and without an id", () => {
  for (const id of ["true", "1.5", "1e300", "1e400", "{}", "[1]", "9".repeat(41)]) {
    assert.equal(
      refusal(`{"type":"get_state","id":${id}}`),
      '{"type":"response","command":"get_state","success":false,"error":"id must be a string or integer"}',
    );
  }
});

Deno.test("JSON that is no command is one error under the name parse", () => {
  for (
    const line of ["null", "1", '"a"', "[]", '["type"]', "{}", '{"type":""}', '{"type":1}', '{"type":null}']
  ) {
    assert.equal(
      refusal(line),
      '{"type":"response","command":"parse","success":false,' +
        '"error":"Command must be a JSON object with a string \\"type\\""}',
    );
  }
});

Deno.test("a line that is no JSON is one short error on one line", () => {
  for (
    const line of ["{", "{'type':1}", "nul", '{"a":1}}', "\u0000", '"\ud800', `{"${"x\\n".repeat(100_000)}`]
  ) {
    const reply = JSON.parse(refusal(line) ?? "null");
    assert.equal(reply.command, "parse");
    assert.match(reply.error, /^Failed to parse command: ./);
    assert.ok(reply.error.length < 300);
  }
});

Deno.test("names of Object.prototype are ordinary types", () => {
  assert.equal(jsonl.decode('{"type":"__proto__"}').method, "__proto__");
  assert.equal(jsonl.decode('{"__proto__":{"type":"a"}}').method, "parse");
});

Deno.test("replies carry data or an error, and leave out what they have not", () => {
  const encode = (outcome: Parameters<typeof jsonl.encode>[0] & { kind: "reply" }) => jsonl.encode(outcome);
  assert.equal(
    encode({
      kind: "reply",
      id: 1,
      method: "a",
      outcome: { data: { rows: new RawJson("[9007199254740993]") } },
    }),
    '{"type":"response","command":"a","success":true,"data":{"rows":[9007199254740993]},"id":1}',
  );
  assert.equal(
    encode({ kind: "reply", method: "a", outcome: { fault: new Fault("bad_state", "Session is closed") } }),
    '{"type":"response","command":"a","success":false,"error":"Session is closed"}',
  );
  const fault = new Fault("unreachable", "Cannot connect.", { server: { message: "no route\nto host" } });
  assert.equal(
    encode({ kind: "reply", method: "a", outcome: { fault } }),
    '{"type":"response","command":"a","success":false,"error":"Cannot connect. The server says: no route to host"}',
  );
  assert.equal(
    encode({ kind: "reply", method: "a", outcome: { data: undefined } }),
    encode({ kind: "reply", method: "a", outcome: {} }),
  );
});

Deno.test("an event is its type and its fields, with no id", () => {
  assert.equal(
    jsonl.encode({ kind: "event", method: "message_start", data: {} }),
    '{"type":"message_start"}',
  );
  assert.equal(
    jsonl.encode({
      kind: "event",
      method: "queue_update",
      data: { steering: ["a\u2028b"], left: undefined },
    }),
    '{"type":"queue_update","steering":["a\\u2028b"]}',
  );
});
