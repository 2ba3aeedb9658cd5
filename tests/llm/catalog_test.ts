import assert from "node:assert/strict";
import { listProviders } from "../../src/llm/catalog.ts";
import { findLocalModel } from "../../src/llm/local_models.ts";
import { FACTS_AS_OF } from "../../src/llm/model_facts.ts";
import { listRemoteModels } from "../../src/llm/remote_models.ts";
import { faultOf } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";
import { startModelsListServer } from "../support/models_list_server.ts";

Deno.test("providers are listed with their keys' variables and models, the user's own among them", () => {
  const own = {
    acme: { baseUrl: "http://gpu/v1", keyVariable: "ACME_KEY", models: { m: { contextTokens: 8192 } } },
    openai: { models: { "gpt-5": { price: { input: 1, output: 2 } } } },
  };
  const providers = listProviders({ GEMINI_API_KEY: "k", ACME_KEY: " " }, own);
  const named = (name: string) => providers.find((each) => each.name === name);
  assert.partialDeepStrictEqual(named("google"), {
    keyVariable: "GEMINI_API_KEY",
    aliases: ["google-gla", "gemini"],
    needsKey: true,
  });
  assert.partialDeepStrictEqual(named("ollama"), { needsKey: false, baseUrl: "http://127.0.0.1:11434/v1" });
  assert.equal(named("azure")?.baseUrl, undefined);
  assert.partialDeepStrictEqual(named("acme"), {
    adapter: "chat",
    keyVariables: ["ACME_KEY"],
    keyVariable: undefined,
    models: [{ id: "acme:m", contextTokens: 8192 }],
  });
  const gpt5 = named("openai")?.models.find(({ id }) => id === "openai:gpt-5");
  assert.deepEqual(gpt5, { id: "openai:gpt-5", contextTokens: 400_000, price: { input: 1, output: 2 } });
});

Deno.test("the table of facts says when it was made, and holds no nonsense", () => {
  assert.match(FACTS_AS_OF, /^20\d\d-\d\d-\d\d$/);
  for (const { models } of listProviders({}, {})) {
    for (const { id, contextTokens, price } of models) {
      assert.ok((contextTokens ?? 0) >= 8192, id);
      if (price) assert.ok(price.output >= price.input && (price.cacheRead ?? 0) < price.input, id);
    }
  }
});

Deno.test("a running server on this machine is found, and only there", async () => {
  await using ollama = startModelsListServer(["nomic-embed-text:latest", "qwen3:8b"]);
  const found = (environment: { [name: string]: string }) => findLocalModel(listProviders(environment, {}));
  const closed = { OLLAMA_HOST: "127.0.0.1:1", LMSTUDIO_BASE_URL: "http://127.0.0.1:1/v1" };
  assert.equal(await found(closed), undefined);
  assert.equal(await found({ ...closed, OLLAMA_HOST: ollama.baseUrl }), "ollama:qwen3:8b");
  await using studio = startModelsListServer(["openai/gpt-oss-20b"]);
  assert.equal(
    await found({ ...closed, LMSTUDIO_BASE_URL: studio.baseUrl }),
    "lmstudio:openai/gpt-oss-20b",
  );
  const elsewhere = ollama.baseUrl.replace("127.0.0.1", "no-such-host.invalid");
  assert.equal(await found({ ...closed, OLLAMA_HOST: elsewhere }), undefined);
});

Deno.test("a server is asked for its list with the key, and what goes wrong is told", async () => {
  await using server = startModelsListServer(["models/gemini-2.5-pro"]);
  const signal = new AbortController().signal;
  const asking = { baseUrl: server.baseUrl, apiKey: "sk-1", timeoutMs: 5000, signal };
  assert.deepEqual(await listRemoteModels({ ...asking, adapter: "chat" }), ["gemini-2.5-pro"]);
  await listRemoteModels({ ...asking, adapter: "anthropic" });
  const [first, second] = server.asked;
  assert.equal(first?.headers.get("authorization"), "Bearer sk-1");
  assert.deepEqual(server.asked.map(({ path }) => path), ["/v1/models", "/v1/models"]);
  assert.ok(second?.headers.has("anthropic-version"));
  await using failing = startModelServer([]);
  const broken = await faultOf(listRemoteModels({ ...asking, baseUrl: failing.baseUrl, adapter: "chat" }));
  assert.match(broken.message, /^Cannot list the models of 127\.0\.0\.1:\d+: it sent no list/);
  const unfit = await faultOf(listRemoteModels({ ...asking, apiKey: "sk-1\nsk-2", adapter: "chat" }));
  assert.match(unfit.message, /: the API key has a line break in it\. Copy it again\.$/);
  const gone = await faultOf(
    listRemoteModels({ ...asking, baseUrl: "http://127.0.0.1:1/v1", adapter: "chat" }),
  );
  assert.equal(gone.code, "model_unreachable");
  const aborted = listRemoteModels({ ...asking, adapter: "chat", signal: AbortSignal.abort() });
  assert.equal((await faultOf(aborted)).code, "cancelled");
});

Deno.test("a list is not looked for at another address, where the key does not belong", async () => {
  await using elsewhere = startModelsListServer(["m"]);
  const location = `${elsewhere.baseUrl}/models`;
  const moved = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(null, { status: 307, headers: { location } }),
  );
  const fault = await faultOf(listRemoteModels({
    ...{
      adapter: "chat",
      baseUrl: `http://127.0.0.1:${moved.addr.port}/v1`,
      apiKey: "sk-1",
      timeoutMs: 5000,
    },
    signal: new AbortController().signal,
  }));
  assert.match(fault.message, /it sent no list \(HTTP 307\)\. Check the address\.$/);
  assert.equal(elsewhere.asked.length, 0);
  await moved.shutdown();
});
