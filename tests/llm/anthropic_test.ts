import assert from "node:assert/strict";
import { anthropicModel } from "../../src/llm/anthropic/model.ts";
import type { Message } from "../../src/llm/provider.ts";
import { type AdapterUnderTest, call, modelOf, testAdapter, text, thinking } from "../suites/model_suite.ts";
import { KEY } from "../suites/model_failures.ts";
import { ask, askForMessage, faultOf } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";

const START = `event: message_start
data: {"type":"message_start","message":{}}

`;

const ANTHROPIC: AdapterUnderTest = {
  streams: "anthropic",
  make: anthropicModel,
  api: "a Messages",
  textBegins: 900,
  beginning: `${START}event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}

`,
  ending: (stop_reason, input_tokens) => {
    const data = { type: "message_delta", delta: { stop_reason }, usage: { input_tokens } };
    return `event: message_delta\ndata: ${JSON.stringify(data)}\n\n`;
  },
  broken: { shape: "event: message_start\ndata: 17\n\n", json: 'event: ping2\ndata: {"cho\n\n' },
  midstream: { code: "model_overloaded", says: /is overloaded\. Wait/, quotes: "Overloaded" },
  recorded: {
    text: {
      content: [text("Es gibt 63 Kundinnen – naïve 東京 🦕.")],
      usage: { inputTokens: 311, outputTokens: 14, cacheReadTokens: 0, cacheWriteTokens: 0 },
      stopReason: "stop",
    },
    thinking: {
      content: [
        thinking("The question needs one count.", { signature: "EqoBCkgIARABGAIiQL8f" }),
        text("There are 8808 orders."),
      ],
      usage: { inputTokens: 2580, outputTokens: 31, cacheReadTokens: 2048, cacheWriteTokens: 512 },
      stopReason: "stop",
    },
    thinking_call: {
      content: [
        thinking("List them first.", { signature: "EqoBCkgIxyz==" }),
        thinking("", { redacted: "EmwKAhgBEgy3va3pzix" }),
        call("toolu_01A", "list_tables", "{}"),
      ],
      usage: { inputTokens: 40, outputTokens: 22 },
      stopReason: "toolUse",
    },
    omitted_thinking: {
      content: [thinking("", { signature: "EqoBOmitted" }), text("63.")],
      usage: { inputTokens: 40, outputTokens: 22 },
      stopReason: "stop",
    },
    list_tables: {
      content: [call("toolu_again", "list_tables", "{}")],
      usage: { inputTokens: 80, outputTokens: 9 },
      stopReason: "toolUse",
    },
    several_calls: {
      content: [
        text("Three look-ups."),
        call("toolu_A", "execute_sql", '{"query":"SELECT 1"}'),
        call("toolu_B", "execute_sql", '{"query": "SELECT \\"Größe\\" FROM \\ud83e\\udd95t"}'),
        call("toolu_C", "execute_sql", '{"query":"SELECT 3"}'),
      ],
      usage: { inputTokens: 402, outputTokens: 66 },
      stopReason: "toolUse",
    },
    broken_arguments: {
      content: [call("toolu_bad1", "execute_sql", '{"query": "SELECT count(*) FROM orders')],
      usage: { inputTokens: 80, outputTokens: 9 },
      stopReason: "length",
    },
    refusal: {
      content: [text("I can't help with that.")],
      usage: { inputTokens: 80, outputTokens: 9 },
      stopReason: "contentFilter",
    },
    length: {
      content: [text("The list begins with")],
      usage: { inputTokens: 80, outputTokens: 4 },
      stopReason: "length",
    },
    empty: { content: [], usage: { inputTokens: 80, outputTokens: 0 }, stopReason: "stop" },
    keep_alive: {
      content: [text("63 customers.")],
      usage: { inputTokens: 90, outputTokens: 3 },
      stopReason: "stop",
    },
  },
};

testAdapter(ANTHROPIC);

Deno.test("an error told at the very beginning of the stream says that the server is overloaded", async () => {
  await using server = startModelServer([{ stream: "anthropic/error_at_once.sse" }]);
  const fault = await faultOf(ask(modelOf(ANTHROPIC, server)));
  assert.equal(fault.code, "model_overloaded");
  assert.deepEqual(fault.retry, {});
});

Deno.test("what the model thought goes back with its calls, and all results go in one message", async () => {
  await using server = startModelServer(() => ({ stream: "anthropic/thinking_call.sse" }));
  const model = modelOf(ANTHROPIC, server, {
    thinking: { high: { thinking: { type: "enabled", budget_tokens: 16_384 } } },
    maxOutputTokens: 64_000,
  });
  const user: Message = { role: "user", content: "How many?", timestamp: 1 };
  const first = await askForMessage(model, { messages: [user] });
  const result = (toolCallId: string, content: string, isError = false): Message => ({
    ...{ role: "toolResult", toolCallId, toolName: "list_tables", content, isError, timestamp: 1 },
  });
  const foreign: Message = {
    ...first,
    model: "another-model",
    content: [
      thinking("Elsewhere.", { signature: "not-ours" }),
      text(" "),
      call("call|1.x", "list_tables", "{"),
      call("c2", "list_tables", "{}"),
    ],
  };
  const messages = [
    user,
    foreign,
    result("call|1.x", "bad", true),
    result("c2", "{}"),
    { ...user, content: "Go on." },
    first,
    result("toolu_01A", '{"tables":[]}'),
  ];
  const tool = { name: "list_tables", description: "Lists", parameters: { type: "object", properties: {} } };
  await ask(model, { messages, tools: [tool], thinking: "high" });
  const asked = server.asked[1];
  assert.equal(asked?.path, "/v1/messages");
  assert.equal(asked.headers.get("authorization"), `Bearer ${KEY}`);
  assert.match(asked.headers.get("anthropic-version") ?? "", /^\d{4}-\d{2}-\d{2}$/);
  const cache_control = { type: "ephemeral" };
  assert.deepEqual(asked.body, {
    model: "model-test",
    max_tokens: 64_000,
    stream: true,
    thinking: { type: "enabled", budget_tokens: 16_384 },
    system: [{ type: "text", text: "You answer briefly.", cache_control }],
    tools: [{
      name: "list_tables",
      description: "Lists",
      input_schema: { type: "object", properties: {} },
      eager_input_streaming: true,
    }],
    messages: [
      { role: "user", content: [{ type: "text", text: "How many?" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_1_x", name: "list_tables", input: {} },
          { type: "tool_use", id: "c2", name: "list_tables", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1_x", content: "bad", is_error: true },
          { type: "tool_result", tool_use_id: "c2", content: "{}" },
          { type: "text", text: "Go on.", cache_control },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "List them first.", signature: "EqoBCkgIxyz==" },
          { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" },
          { type: "tool_use", id: "toolu_01A", name: "list_tables", input: {} },
        ],
      },
      {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: "toolu_01A",
          content: '{"tables":[]}',
          cache_control,
        }],
      },
    ],
  });
});

Deno.test("no header is sent but those a request needs, and none from the environment", async () => {
  const variables = {
    ANTHROPIC_CUSTOM_HEADERS: "x-secret: 1",
    ANTHROPIC_AUTH_TOKEN: "token-of-the-environment",
    ANTHROPIC_API_KEY: "key-of-the-environment",
  };
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    await using server = startModelServer(() => ({ stream: "anthropic/text.sse" }));
    await ask(modelOf(ANTHROPIC, server, { headers: { "x-tenant": "a" } }));
    const headers = Object.fromEntries(server.asked[0]?.headers ?? []);
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    assert.equal(headers["x-tenant"], "a");
    assert.deepEqual(Object.keys(headers).sort(), [
      "accept",
      "accept-encoding",
      "accept-language",
      "anthropic-version",
      "authorization",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "x-tenant",
    ]);
  } finally {
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  }
});
