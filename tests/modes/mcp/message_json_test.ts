import assert from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { answer, LatestAnswer, messageToJson, messageToPieces } from "../../../src/modes/mcp/message_json.ts";

Deno.test("a tool's answer is written twice from one text, whatever its keys", () => {
  const json = '{"b":1,"1":"9223372036854775808","__proto__":["\\u2028\\"\\\\"]}';
  const message: JSONRPCMessage = {
    jsonrpc: "2.0",
    id: "a\nb",
    result: { ...answer(json), resultType: "complete", _meta: { server: "saber" } },
  };
  const line = messageToJson(message);
  assert.ok(!line.includes("\n"));
  assert.ok(line.endsWith(`"structuredContent":${json}}}`));
  const { id, result } = JSON.parse(line);
  assert.equal(id, "a\nb");
  assert.deepEqual(result.content, [{ type: "text", text: json }]);
  assert.deepEqual([result.resultType, result._meta], ["complete", { server: "saber" }]);
});

Deno.test("what was given in pieces is written as the text that it belongs to, and no other", () => {
  const latest = new LatestAnswer();
  const write = (json: string) =>
    JSON.parse(messageToPieces({ jsonrpc: "2.0", id: 1, result: answer(json) }, latest).join("")).result;
  latest.note('{"a":1}', { plain: ['{"a"', ":1}"], quoted: ["{\\", '"a\\":1}'] });
  for (const json of ['{"b":1}', '{"a":1}']) {
    assert.deepEqual(write(json), {
      content: [{ type: "text", text: json }],
      structuredContent: JSON.parse(json),
    });
  }
  latest.note('{"a":1}', { plain: ['{"made":', "1}"], quoted: ["as it was made"] });
  assert.equal(write('{"a":1}').content[0].text, "as it was made");
  assert.equal(write('{"a":1}').content[0].text, '{"a":1}');
});

Deno.test("other messages are written as they are", () => {
  const messages: JSONRPCMessage[] = [
    { jsonrpc: "2.0", id: 0, result: {} },
    { jsonrpc: "2.0", id: 0, result: { content: [{ type: "text", text: "[timeout] …" }], isError: true } },
    {
      jsonrpc: "2.0",
      id: 0,
      result: { content: [{ type: "text", text: "{}" }], structuredContent: { a: 1 } },
    },
    { jsonrpc: "2.0", id: 0, error: { code: -32601, message: "Method not found" } },
    { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
  ];
  for (const message of messages) assert.deepEqual(JSON.parse(messageToJson(message)), message);
});

Deno.test("text that presents an answer differently stands next to its JSON", () => {
  const json = '{"results":[{"2":1,"1":2}]}';
  const line = messageToJson({ jsonrpc: "2.0", id: 1, result: answer(json, '{}\n\n2,1\n1,2 "') });
  assert.ok(line.endsWith(`"structuredContent":${json}}}`));
  assert.deepEqual(JSON.parse(line).result.content, [{ type: "text", text: '{}\n\n2,1\n1,2 "' }]);
});

Deno.test("a validator's dump becomes a sentence", () => {
  const issue = {
    expected: "record",
    code: "invalid_type",
    path: ["params", "arguments"],
    message: "Invalid input: …",
  };
  const dump = JSON.stringify([issue, { ...issue, path: ["params", "list", 0] }], null, 2);
  const told = (code: number, message: string) =>
    JSON.parse(messageToJson({ jsonrpc: "2.0", id: 1, error: { code, message } })).error;
  assert.deepEqual(told(-32602, `Invalid tools/call request: ${dump}`), {
    code: -32602,
    message:
      "Invalid tools/call request: params.arguments: Invalid input: …; params.list.0: Invalid input: …",
  });
  assert.deepEqual(told(-32603, dump).code, -32602);
  for (const message of ["Cannot read [\n", "[\n]", `[\n1]`]) {
    assert.deepEqual(told(-32603, message), { code: -32603, message });
  }
});
