import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { type Environment, openModel } from "../../src/llm/registry.ts";
import { askForMessage } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";

Deno.test("openai takes its key and base URL from the environment", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const model = openModel("openai:gpt-5", { OPENAI_API_KEY: "sk-1", OPENAI_BASE_URL: `${server.baseUrl}/` });
  assert.deepEqual([model.id, model.name], ["openai:gpt-5", "gpt-5"]);
  assert.equal((await askForMessage(model, { thinking: "high" })).model, "gpt-5");
  const [asked] = server.asked;
  assert.equal(asked?.path, "/v1/chat/completions");
  assert.equal(asked.headers.get("authorization"), "Bearer sk-1");
  assert.partialDeepStrictEqual(asked.body, { model: "gpt-5", reasoning_effort: "high" });
});

Deno.test("ollama needs no key, and a model's name may hold colons", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const model = openModel("ollama:qwen3:8b", { OLLAMA_HOST: new URL(server.baseUrl).host });
  assert.equal((await askForMessage(model)).model, "qwen3:8b");
  const [asked] = server.asked;
  assert.equal(asked?.path, "/v1/chat/completions");
  assert.equal(asked.headers.get("authorization"), null);
  assert.partialDeepStrictEqual(asked.body, { model: "qwen3:8b", reasoning_effort: "none" });
});

/** The host that an unreachable Ollama is said to have. */
async function ollamaHost(OLLAMA_HOST: string): Promise<string> {
  try {
    await askForMessage(openModel("ollama:m", { OLLAMA_HOST }));
  } catch (error) {
    if (error instanceof Fault) return / from ollama:m: (\S+) /.exec(error.message)?.[1] ?? error.message;
  }
  return "answered";
}

Deno.test("OLLAMA_HOST is read as Ollama reads it", async () => {
  assert.equal(await ollamaHost("no-such-host.invalid"), "no-such-host.invalid:11434");
  assert.equal(await ollamaHost("no-such-host.invalid:80"), "no-such-host.invalid");
  assert.equal(await ollamaHost("http://no-such-host.invalid"), "no-such-host.invalid");
  assert.equal(await ollamaHost("http://0.0.0.0:9/"), "127.0.0.1:9");
});

const REFUSED: readonly (readonly [string, Environment, RegExp])[] = [
  ["gpt-5", {}, /"gpt-5": it is not of the form provider:id\. An example/],
  [":gpt-5", {}, /not of the form/],
  ["openai:", { OPENAI_API_KEY: "sk-1" }, /not of the form/],
  ["acme:m", {}, /provider is unknown\. Known are openai, anthropic, google, .*, ollama, /],
  ["toString:m", {}, /provider is unknown/],
  [
    "openai:gpt-5",
    { OPENAI_API_KEY: "" },
    /no API key\. Set OPENAI_API_KEY, or run 'saber auth setup openai'\./,
  ],
  [
    "openai:gpt-5",
    { OPENAI_API_KEY: "sk-1", OPENAI_BASE_URL: "ftp://x" },
    /OPENAI_BASE_URL: it is not an http/,
  ],
  [
    "openai:gpt-5",
    { OPENAI_API_KEY: "sk-1\nsk-2" },
    /^Cannot use the model "openai:gpt-5": its API key has a line break in it, or [^\n]+ Copy the key again\.$/,
  ],
  ["ollama:m", { OLLAMA_HOST: "http://[" }, /OLLAMA_HOST: it is not an http/],
];

for (const [id, environment, says] of REFUSED) {
  Deno.test(`no model: ${id} with ${JSON.stringify(environment)}`, () => {
    assert.throws(() => openModel(id, environment), (error) => {
      assert.ok(error instanceof Fault);
      assert.equal(error.code, "no_model");
      assert.match(error.message, says);
      return true;
    });
  });
}

Deno.test("a provider of the user's own: its adapter, address, key, headers and what it says of a model", async () => {
  await using server = startModelServer(() => ({ stream: "anthropic/text.sse" }));
  const acme = {
    adapter: "anthropic",
    baseUrl: `${server.baseUrl}/`,
    keyVariable: "ACME_KEY",
    headers: { "x-tenant": "home" },
    models: {
      "m:1": { contextTokens: 8192, maxOutputTokens: 1000, thinking: { low: { think: true } } },
    },
  } as const;
  const model = openModel("acme:m:1", { ACME_KEY: "k-1" }, { providers: { acme } });
  assert.deepEqual([model.id, model.name, model.contextTokens], ["acme:m:1", "m:1", 8192]);
  await askForMessage(model, { thinking: "low" });
  const [asked] = server.asked;
  assert.equal(asked?.path, "/v1/messages");
  assert.equal(asked.headers.get("x-tenant"), "home");
  assert.equal(asked.headers.get("authorization"), "Bearer k-1");
  assert.partialDeepStrictEqual(asked.body, { model: "m:1", max_tokens: 1000, think: true });
  assert.throws(() => openModel("acme:m", {}, { providers: { acme } }), /Set ACME_KEY, or run/);
  assert.throws(
    () => openModel("next:m", {}, { providers: { next: {} } }),
    /"next" of config\.jsonc: it has no baseUrl\. Add one\./,
  );
});

Deno.test("a known provider can be changed: the address makes OpenAI's speak Chat Completions", async () => {
  await using server = startModelServer(() => ({ stream: "openai/text.sse" }));
  const options = { apiKey: "k", providers: { openai: { baseUrl: server.baseUrl } } };
  const model = openModel("openai:gpt-5.2", {}, options);
  await askForMessage(model, { thinking: "off" });
  assert.equal(server.asked[0]?.path, "/v1/chat/completions");
  assert.partialDeepStrictEqual(server.asked[0].body, { reasoning_effort: "none" });
  assert.deepEqual([model.price, model.contextTokens], [undefined, undefined]);
  assert.equal(openModel("openai:gpt-5", {}, { apiKey: "k" }).price?.output, 10);
  assert.equal(openModel("openai:gpt-5-2025-08-07", {}, { apiKey: "k" }).contextTokens, 400_000);
});

Deno.test("no key can be seen in a model", () => {
  const model = openModel("anthropic:claude-opus-5", { ANTHROPIC_API_KEY: "sk-ant-visible" });
  const seen = Deno.inspect(model, { depth: 20, showHidden: true, getters: true });
  assert.ok(!seen.includes("sk-ant-visible"));
});
