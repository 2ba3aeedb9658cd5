import assert from "node:assert/strict";
import type { Message } from "../../src/llm/provider.ts";
import { responsesModel } from "../../src/llm/responses/model.ts";
import { type AdapterUnderTest, call, modelOf, testAdapter, text, thinking } from "../suites/model_suite.ts";
import { KEY } from "../suites/model_failures.ts";
import { ask, askForMessage, faultOf } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";

const RESPONSES: AdapterUnderTest = {
  streams: "responses",
  make: responsesModel,
  api: "a Responses",
  textBegins: 1500,
  beginning: `event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":0,"delta":"a"}

`,
  ending: (_reason, input_tokens) =>
    `data: ${JSON.stringify({ type: "response.completed", response: { usage: { input_tokens } } })}\n\n`,
  broken: { shape: "data: 17\n\n", json: 'data: {"cho\n\n' },
  midstream: { code: "model_error", says: /reported a failure\. Ask again/, quotes: "The model went away" },
  recorded: {
    text: {
      content: [text("Es gibt 63 Kundinnen – naïve 東京 🦕.")],
      usage: { inputTokens: 311, outputTokens: 14, cacheReadTokens: 0 },
      stopReason: "stop",
    },
    thinking: {
      content: [
        thinking("The question needs one count.\n\nOrders, then.", {
          id: "rs_0",
          encrypted_content: "gAAAAABEnc1",
        }),
        text("There are 8808 orders."),
      ],
      usage: { inputTokens: 120, outputTokens: 31, cacheReadTokens: 64 },
      stopReason: "stop",
    },
    thinking_call: {
      content: [
        thinking("", { id: "rs_0", encrypted_content: "gAAAAABEnc2" }),
        call("call_r1", "list_tables", "{}"),
      ],
      usage: { inputTokens: 40, outputTokens: 22, cacheReadTokens: 0 },
      stopReason: "toolUse",
    },
    list_tables: {
      content: [call("call_again", "list_tables", "{}")],
      usage: { inputTokens: 80, outputTokens: 9, cacheReadTokens: 0 },
      stopReason: "toolUse",
    },
    several_calls: {
      content: [
        text("Three look-ups."),
        call("call_A", "execute_sql", '{"query":"SELECT 1"}'),
        call("call_B", "execute_sql", '{"query": "SELECT \\"Größe\\" FROM \\ud83e\\udd95t"}'),
        call("call_C", "list_tables", "{}"),
      ],
      usage: { inputTokens: 402, outputTokens: 66, cacheReadTokens: 0 },
      stopReason: "toolUse",
    },
    broken_arguments: {
      content: [call("call_bad1", "execute_sql", '{"query": "SELECT count(*) FROM orders')],
      usage: { inputTokens: 80, outputTokens: 9, cacheReadTokens: 0 },
      stopReason: "length",
    },
    refusal: {
      content: [text("I'm sorry, I can't help with that.")],
      usage: { inputTokens: 80, outputTokens: 9, cacheReadTokens: 0 },
      stopReason: "contentFilter",
    },
    length: {
      content: [text("The list begins with")],
      usage: { inputTokens: 80, outputTokens: 4, cacheReadTokens: 0 },
      stopReason: "length",
    },
    content_filter: { content: [], usage: null, stopReason: "contentFilter" },
    empty: {
      content: [],
      usage: { inputTokens: 80, outputTokens: 0, cacheReadTokens: 0 },
      stopReason: "stop",
    },
    keep_alive: {
      content: [text("63 customers.")],
      usage: { inputTokens: 90, outputTokens: 3, cacheReadTokens: 0 },
      stopReason: "stop",
    },
  },
};

testAdapter(RESPONSES);

Deno.test("an error told at the very beginning of the stream may be tried again", async () => {
  await using server = startModelServer([{ stream: "responses/error_at_once.sse" }]);
  const fault = await faultOf(ask(modelOf(RESPONSES, server)));
  assert.equal(fault.code, "model_overloaded");
  assert.deepEqual([fault.retry, fault.server?.message], [{}, "Slow down"]);
});

Deno.test("encrypted reasoning goes back with the calls it led to, and to no other model", async () => {
  await using server = startModelServer([
    { stream: "responses/thinking.sse" },
    { stream: "responses/thinking_call.sse" },
    { stream: "responses/text.sse" },
  ]);
  const model = modelOf(RESPONSES, server, {
    thinking: { low: { reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] } },
  });
  const user: Message = { role: "user", content: "Lone \ud800 half", timestamp: 1 };
  const answer = await askForMessage(model, { messages: [user] });
  const calling = await askForMessage(model, { messages: [user] });
  const foreign: Message = {
    ...calling,
    model: "another-model",
    content: [thinking("Elsewhere.", { id: "rs_9", encrypted_content: "x" }), call("c0", "list_tables", "{")],
  };
  const result = (toolCallId: string): Message => ({
    ...{
      role: "toolResult",
      toolCallId,
      toolName: "list_tables",
      content: "{}",
      isError: false,
      timestamp: 1,
    },
  });
  const tool = { name: "list_tables", description: "Lists", parameters: { type: "object", properties: {} } };
  await ask(model, {
    messages: [user, answer, user, foreign, result("c0"), user, calling, result("call_r1")],
    tools: [tool],
    thinking: "low",
  });
  const asked = server.asked[2];
  assert.equal(asked?.path, "/v1/responses");
  assert.equal(asked.headers.get("authorization"), `Bearer ${KEY}`);
  const question = { role: "user", content: "Lone \ufffd half" };
  assert.deepEqual(asked.body, {
    model: "model-test",
    instructions: "You answer briefly.",
    stream: true,
    store: false,
    reasoning: { effort: "low" },
    include: ["reasoning.encrypted_content"],
    tools: [{ type: "function", ...tool, strict: false }],
    input: [
      question,
      {
        type: "reasoning",
        id: "rs_0",
        encrypted_content: "gAAAAABEnc1",
        summary: [{ type: "summary_text", text: "The question needs one count.\n\nOrders, then." }],
      },
      { role: "assistant", content: "There are 8808 orders." },
      question,
      { type: "function_call", call_id: "c0", name: "list_tables", arguments: "{}" },
      { type: "function_call_output", call_id: "c0", output: "{}" },
      question,
      { type: "reasoning", id: "rs_0", encrypted_content: "gAAAAABEnc2", summary: [] },
      { type: "function_call", call_id: "call_r1", name: "list_tables", arguments: "{}" },
      { type: "function_call_output", call_id: "call_r1", output: "{}" },
    ],
  });
});
