import assert from "node:assert/strict";
import { chatModel } from "../../src/llm/chat/model.ts";
import type { ModelOptions } from "../../src/llm/provider.ts";
import { type AdapterUnderTest, call, modelOf, testAdapter, text, thinking } from "../suites/model_suite.ts";
import { KEY } from "../suites/model_failures.ts";
import { ask, askForMessage, faultOf } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";

const CHAT: AdapterUnderTest = {
  streams: "openai",
  make: chatModel,
  api: "a Chat Completions",
  textBegins: 900,
  beginning: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
  ending: (finish_reason, prompt_tokens) =>
    `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason }], usage: { prompt_tokens } })}\n\n`,
  broken: { shape: "data: 17\n\n", json: 'data: {"cho\n\n' },
  midstream: {
    code: "model_error",
    says: /reported a failure \(HTTP 502\)/,
    quotes: "Upstream worker went away",
  },
  recorded: {
    text: {
      content: [text("Es gibt 63 Kundinnen – naïve 東京 🦕.")],
      usage: { inputTokens: 311, outputTokens: 14 },
      stopReason: "stop",
    },
    thinking: {
      content: [thinking("The question needs one count."), text("There are 8808 orders.")],
      usage: { inputTokens: 120, outputTokens: 31, cacheReadTokens: 64 },
      stopReason: "stop",
    },
    keep_alive: {
      content: [text("63 customers.")],
      usage: { inputTokens: 90, outputTokens: 3 },
      stopReason: "stop",
    },
    interleaved_calls: {
      content: [
        text("Three look-ups."),
        call("call_A", "execute_sql", '{"query":"SELECT 1"}'),
        call("call_B", "execute_sql", '{"query": "SELECT \\"Größe\\" FROM \\ud83e\\udd95t"}'),
        call("call_C", "list_tables", ""),
      ],
      usage: { inputTokens: 402, outputTokens: 66 },
      stopReason: "toolUse",
    },
    reused_index: {
      content: [
        thinking("Two things to look up."),
        call("call_q0z8w4k1", "list_tables", "{}"),
        call("call_q1z8w4k1", "execute_sql", '{"query":"SELECT count(*) FROM orders"}'),
      ],
      usage: null,
      stopReason: "toolUse",
    },
    calls_without_ids: {
      content: [
        call("call_*", "list_tables", "{}"),
        call("call_*", "execute_sql", '{"query":"SELECT 1"}'),
        call("call_*", "execute_sql", '{"query": "SELECT 2"}'),
      ],
      usage: null,
      stopReason: "toolUse",
    },
    broken_arguments: {
      content: [call("call_bad1", "execute_sql", '{"query": "SELECT count(*) FROM orders')],
      usage: null,
      stopReason: "toolUse",
    },
    refusal: {
      content: [text("I'm sorry, I can't help with that.")],
      usage: { inputTokens: 80, outputTokens: 9 },
      stopReason: "contentFilter",
    },
    content_filter: { content: [], usage: null, stopReason: "contentFilter" },
    length: {
      content: [text("The list begins with")],
      usage: { inputTokens: 80, outputTokens: 4 },
      stopReason: "length",
    },
    empty: { content: [], usage: { inputTokens: 80, outputTokens: 0 }, stopReason: "stop" },
    top_customers_1: {
      content: [text("I'll look at the tables first."), call("call_x7Rk2mQ9sLwT", "list_tables", "{}")],
      usage: { inputTokens: 742, outputTokens: 19, cacheReadTokens: 0 },
      stopReason: "toolUse",
    },
  },
};

testAdapter(CHAT);

Deno.test("an id that the conversation already has is replaced", async () => {
  await using server = startModelServer(() => ({ stream: "openai/list_tables.sse" }));
  const { content: [first] } = await askForMessage(modelOf(CHAT, server));
  assert.deepEqual(first, call("call_again", "list_tables", "{}"));
  const { content: [second] } = await askForMessage(modelOf(CHAT, server), {
    messages: [{
      role: "toolResult",
      toolCallId: "call_again",
      toolName: "list_tables",
      content: "{}",
      isError: false,
      timestamp: 1,
    }],
  });
  assert.match(second?.type === "toolCall" ? second.id : "", /^call_[0-9a-f]{32}$/);
});

Deno.test("the request that leaves the process", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  await ask(modelOf(CHAT, server, { thinking: { maximum: { reasoning_effort: "xhigh" } } }), {
    thinking: "maximum",
    tools: [{ name: "list_tables", description: "Lists", parameters: { type: "object", properties: {} } }],
    messages: [
      { role: "user", content: "Lone \ud800 half", timestamp: 1 },
      {
        role: "assistant",
        content: [thinking("Hm."), text("I'll "), text("look."), {
          type: "toolCall",
          id: "c1",
          name: "list_tables",
          argumentsText: "{}",
        }, { type: "toolCall", id: "c2", name: "execute_sql", argumentsText: '{"query": ' }],
        model: "model-test",
        usage: null,
        stopReason: "toolUse",
        timestamp: 1,
      },
      {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "list_tables",
        content: "{}",
        isError: false,
        timestamp: 1,
      },
      {
        role: "toolResult",
        toolCallId: "c2",
        toolName: "execute_sql",
        content: "bad",
        isError: true,
        timestamp: 1,
      },
    ],
  });
  const [asked] = server.asked;
  assert.equal(asked?.path, "/v1/chat/completions");
  assert.deepEqual(asked.body, {
    model: "model-test",
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "xhigh",
    tools: [{
      type: "function",
      function: { name: "list_tables", description: "Lists", parameters: { type: "object", properties: {} } },
    }],
    messages: [
      { role: "system", content: "You answer briefly." },
      { role: "user", content: "Lone \ufffd half" },
      {
        role: "assistant",
        content: "I'll look.",
        tool_calls: [
          { type: "function", id: "c1", function: { name: "list_tables", arguments: "{}" } },
          { type: "function", id: "c2", function: { name: "execute_sql", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "{}" },
      { role: "tool", tool_call_id: "c2", content: "bad" },
    ],
  });
});

Deno.test("no header is sent but those a request needs, and none from the environment", async () => {
  const variables = {
    OPENAI_CUSTOM_HEADERS: "x-secret: 1",
    OPENAI_ORG_ID: "org-1",
    OPENAI_API_KEY: "sk-of-the-environment",
  };
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
    await ask(modelOf(CHAT, server));
    const { apiKey: _, ...keyless } = { ...OPTIONS, baseUrl: server.baseUrl };
    await ask(chatModel(keyless));
    const [first, second] = server.asked.map(({ headers }) => Object.fromEntries(headers));
    assert.equal(first?.authorization, `Bearer ${KEY}`);
    assert.equal(first["user-agent"], "saber");
    const names = Object.keys(first).filter((name) => name !== "authorization");
    assert.deepEqual(Object.keys(second ?? {}), names);
    const plain = [
      "accept",
      "accept-encoding",
      "accept-language",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ];
    assert.deepEqual(names.sort(), plain);
  } finally {
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  }
});

const OPTIONS: Omit<ModelOptions, "baseUrl"> = {
  id: "acme:model-test",
  apiKey: KEY,
  thinking: {},
  silenceMs: 20_000,
};

Deno.test("an end because of an error is a failure", async () => {
  const text = 'data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n';
  await using server = startModelServer([{ stream: { text } }]);
  assert.match((await faultOf(ask(modelOf(CHAT, server)))).message, /reported a failure/);
});

Deno.test("keep-alive comments are no silence", async () => {
  const comments = ": still thinking\n".repeat(20);
  const text = `${comments}\ndata: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n`;
  await using server = startModelServer([{ stream: { text }, paceMs: 40 }]);
  assert.deepEqual((await askForMessage(modelOf(CHAT, server, { silenceMs: 400 }))).content, [
    { type: "text", text: "a" },
  ]);
});

Deno.test("a whole answer stands, whatever becomes of the connection behind it", async () => {
  const text = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n: more to come\n\n';
  await using server = startModelServer([{ stream: { text }, resetAt: text.length - 10 }]);
  assert.equal((await askForMessage(modelOf(CHAT, server))).stopReason, "stop");
});
