/**
 * Habits of single servers of the Chat Completions family: how they tell thoughts, and what they want back.
 */
import assert from "node:assert/strict";
import { chatModel } from "../../src/llm/chat/model.ts";
import type { Message, ModelOptions } from "../../src/llm/provider.ts";
import { openModel } from "../../src/llm/registry.ts";
import { ask, askForMessage } from "../support/asking.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";

const stream = (...deltas: readonly unknown[]) => {
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ];
  return { stream: { text: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") } };
};

function modelOf(server: ModelServer, options: Partial<ModelOptions> = {}) {
  return chatModel({ id: "acme:m", thinking: {}, silenceMs: 20_000, baseUrl: server.baseUrl, ...options });
}

const USER: Message = { role: "user", content: "How many?", timestamp: 1 };
const resultOf = (toolCallId: string): Message => ({
  ...{ role: "toolResult", toolCallId, toolName: "list_tables", content: "{}", isError: false, timestamp: 1 },
});
const CALL = { index: 0, id: "call_1", type: "function", function: { name: "list_tables", arguments: "{}" } };

Deno.test("Mistral's answers in parts are thinking and text", async () => {
  await using server = startModelServer([stream(
    {
      content: [{
        type: "thinking",
        thinking: [{ type: "text", text: "One" }, { type: "text", text: " count." }],
      }],
    },
    { content: [{ type: "text", text: "63" }] },
    { content: " customers." },
  )]);
  const { content } = await askForMessage(modelOf(server));
  assert.deepEqual(content, [
    { type: "thinking", thinking: "One count." },
    { type: "text", text: "63 customers." },
  ]);
});

Deno.test("Gemini's marked thoughts lose their tags, and its signatures go back with their calls", async () => {
  const google = { extra_content: { google: { thought: true } } };
  const signature = { google: { thought_signature: "CiQB" } };
  await using server = startModelServer([
    stream(
      { role: "assistant", content: "<thought>One", ...google },
      { content: " count.", ...google },
      { content: "</thought>I'll look." },
      { tool_calls: [{ ...CALL, extra_content: signature }] },
    ),
    stream({ content: "63" }),
    stream({ content: "63" }),
  ]);
  const calling = await askForMessage(modelOf(server));
  assert.deepEqual(calling.content.map((block) => block.type === "toolCall" ? block.id : block), [
    { type: "thinking", thinking: "One count." },
    { type: "text", text: "I'll look." },
    "call_1",
  ]);
  const messages = [USER, calling, resultOf("call_1")];
  await ask(modelOf(server), { messages });
  await ask(modelOf(server, { id: "acme:another" }), { messages });
  const { extra_content: _, ...plain } = { extra_content: undefined, ...CALL };
  const { index: _index, ...sent } = plain;
  const toolCalls = (n: number) => JSON.parse(JSON.stringify(server.asked[n]?.body)).messages[2].tool_calls;
  assert.deepEqual(toolCalls(1), [{ ...sent, extra_content: signature }]);
  assert.deepEqual(toolCalls(2), [sent], "another model was given the signature");
});

Deno.test("OpenRouter's thoughts are put together and go back with the calls", async () => {
  const encrypted = { type: "reasoning.encrypted", data: "gAAA", id: "rs_1", index: 1 };
  await using server = startModelServer([
    stream(
      {
        reasoning: "One",
        reasoning_details: [{ type: "reasoning.text", text: "One", index: 0, signature: null }],
      },
      { reasoning: " count.", reasoning_details: [{ type: "reasoning.text", text: " count.", index: 0 }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, signature: "sig" }, encrypted] },
      { tool_calls: [CALL] },
    ),
    stream({ content: "63" }),
  ]);
  const calling = await askForMessage(modelOf(server));
  assert.deepEqual(calling.content[0], { type: "thinking", thinking: "One count." });
  await ask(modelOf(server), { messages: [USER, calling, resultOf("call_1")] });
  assert.partialDeepStrictEqual(server.asked[1]?.body, {
    messages: [{}, {}, {
      reasoning_details: [
        { type: "reasoning.text", text: "One count.", index: 0, signature: "sig" },
        encrypted,
      ],
    }],
  });
});

Deno.test("DeepSeek gets its thinking back with the calls it led to", async () => {
  await using server = startModelServer([
    stream({ reasoning_content: "One count." }, { tool_calls: [CALL] }),
    stream({ reasoning_content: "Easy." }, { content: "63" }),
    stream({ content: "63" }),
    stream({ content: "63" }),
  ]);
  const open = (provider: string) =>
    openModel(`${provider}:m`, {}, {
      apiKey: "k",
      providers: { [provider]: { baseUrl: server.baseUrl } },
    });
  const deepseek = open("deepseek");
  const calling = await askForMessage(deepseek);
  const answer = await askForMessage(deepseek);
  const messages = [USER, calling, resultOf("call_1"), answer, USER];
  await ask(deepseek, { messages });
  await ask(open("groq"), { messages });
  const assistants = (n: number) =>
    JSON.parse(JSON.stringify(server.asked[n]?.body)).messages
      .filter(({ role }: { role: string }) => role === "assistant")
      .map((message: { reasoning_content?: string }) => message.reasoning_content);
  assert.deepEqual(assistants(2), ["One count.", undefined]);
  assert.deepEqual(assistants(3), [undefined, undefined]);
});

Deno.test("Mistral is given ids that it takes, the same for a call and its result", async () => {
  await using server = startModelServer([stream({ content: "63" })]);
  const calling: Message = {
    role: "assistant",
    content: ["call_0123456789abcdef", "D681PevKs"].map((id) => ({
      ...{ type: "toolCall", id, name: "list_tables", argumentsText: "{}" },
    })),
    ...{ model: "m", usage: null, stopReason: "toolUse", timestamp: 1 },
  };
  const messages = [USER, calling, resultOf("call_0123456789abcdef"), resultOf("D681PevKs")];
  await ask(modelOf(server, { callIds: "nine" }), { messages });
  const sent = JSON.parse(JSON.stringify(server.asked[0]?.body)).messages;
  const ids = sent[2].tool_calls.map(({ id }: { id: string }) => id);
  assert.match(ids[0], /^[a-z0-9]{9}$/);
  assert.equal(ids[1], "D681PevKs");
  assert.deepEqual([sent[3].tool_call_id, sent[4].tool_call_id], ids);
});

Deno.test("cached input is counted under each name that servers give it", async () => {
  const usages = [
    { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 },
    {
      prompt_tokens: 9,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    },
  ];
  await using server = startModelServer((n) => {
    const chunk = { choices: [{ delta: { content: "a" }, finish_reason: "stop" }], usage: usages[n] };
    return { stream: { text: `data: ${JSON.stringify(chunk)}\n\n` } };
  });
  assert.deepEqual((await askForMessage(modelOf(server))).usage, {
    inputTokens: 9,
    outputTokens: 1,
    cacheReadTokens: 4,
  });
  assert.deepEqual((await askForMessage(modelOf(server))).usage, {
    inputTokens: 9,
    outputTokens: 1,
    cacheReadTokens: 4,
    cacheWriteTokens: 2,
  });
});
