/**
 * The adapters against servers that others wrote to imitate the providers: text, a tool call with its result, a limit of
 * requests, an abort.
 */
import assert from "node:assert/strict";
import type { Message, Model } from "../../src/llm/provider.ts";
import { openModel } from "../../src/llm/registry.ts";
import { ask, askForMessage, faultOf } from "../support/asking.ts";
import { ANSWERS, type MockServer, startAimock, startMockLlm } from "../support/mock_model_servers.ts";

const USER = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const TOOLS = [{
  name: "list_tables",
  description: "Lists the tables.",
  parameters: { type: "object", properties: {} },
}];

type Case = readonly [name: string, start: () => Promise<MockServer>, open: (origin: string) => Model];

const once = { once: true } as const;

const AIMOCK: readonly Case[] = [
  ["Chat Completions at aimock", startAimock, openChat],
  ["Responses at aimock", startAimock, (origin) => {
    const next = { adapter: "responses", baseUrl: `${origin}/v1` } as const;
    return openModel("next:gpt-5", {}, { ...once, providers: { next } });
  }],
  ["Messages at aimock", startAimock, (origin) => {
    const environment = { ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: "k" };
    return openModel("anthropic:claude-sonnet-4-5", environment, once);
  }],
];
const MOCK_LLM: Case = ["Chat Completions at mock-llm", startMockLlm, openChat];

function openChat(origin: string): Model {
  return openModel("openai:gpt-4o", { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: "k" }, once);
}

for (const [name, start, open] of [...AIMOCK, MOCK_LLM]) {
  Deno.test(`a server that others wrote answers, refuses and is given up: ${name}`, async () => {
    await using server = await start();
    const model = open(server.origin);
    const plain = await askForMessage(model, { messages: [USER("hello")], tools: TOOLS });
    assert.deepEqual(plain.content.at(-1), { type: "text", text: ANSWERS.text });
    assert.equal(plain.stopReason, "stop");
    const busy = await faultOf(ask(model, { messages: [USER("busy")] }));
    assert.equal(busy.code, "model_overloaded");
    assert.match(busy.message, /limits the rate of requests/);
    const aborted = ask(model, { messages: [USER("hello")], signal: AbortSignal.abort() });
    assert.equal((await faultOf(aborted)).code, "cancelled");
  });
}

for (const [name, start, open] of AIMOCK) {
  Deno.test(`a server that others wrote calls a tool and takes its result: ${name}`, async () => {
    await using server = await start();
    const model = open(server.origin);
    const asked = { tools: TOOLS, thinking: "medium" } as const;
    const question = USER("Which tables are there?");
    const calling = await askForMessage(model, { ...asked, messages: [question] });
    assert.equal(calling.stopReason, "toolUse");
    const call = calling.content.find((block) => block.type === "toolCall");
    assert.partialDeepStrictEqual(call, { name: "list_tables", argumentsText: "{}" });
    const result: Message = {
      ...{
        role: "toolResult",
        toolName: "list_tables",
        content: '{"total":4}',
        isError: false,
        timestamp: 1,
      },
      toolCallId: call?.type === "toolCall" ? call.id : "",
    };
    const answer = await askForMessage(model, { ...asked, messages: [question, calling, result] });
    assert.deepEqual(answer.content.at(-1), { type: "text", text: ANSWERS.afterTool });
  });
}
