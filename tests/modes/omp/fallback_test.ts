/** The next model of `--models` answers when the chosen one's server asks for a wait that nobody would bear. */
import assert from "node:assert/strict";
import { startModelServer } from "../../support/model_server.ts";
import { OmpHost } from "../../support/omp_host.ts";
import { shop } from "../../support/shop.ts";

const EXHAUSTED = { status: 429, body: '{"error":{"message":"quota"}}', headers: { "retry-after": "3600" } };
const TEXT = { stream: "openai/text.sse" };

async function hostOn(baseUrl: string, models: string): Promise<OmpHost> {
  const args = ["-d", await shop("sqlite"), "--no-session", "--model", "openai:first", "--models", models];
  return new OmpHost({ args, env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "key" } });
}

function modelsOf({ asked }: { asked: readonly { readonly body: unknown }[] }): unknown[] {
  return asked.map(({ body }) => (body as { model?: string }).model);
}

Deno.test("a model whose server is exhausted is replaced for the rest of the run", async () => {
  await using server = startModelServer([EXHAUSTED, TEXT, TEXT]);
  await using host = await hostOn(server.baseUrl, "openai:first,openai:second");
  await host.send({ type: "prompt", message: "How many?" });
  assert.partialDeepStrictEqual(await host.untilType("retry_fallback_applied"), {
    from: "openai/first",
    to: "openai/second",
    role: "default",
  });
  assert.equal((await host.next())?.type, "agent_start");
  assert.partialDeepStrictEqual(await host.untilType("retry_fallback_succeeded"), {
    model: "openai/second",
    role: "default",
  });
  await host.untilType("agent_end");
  await host.send({ type: "prompt", message: "And now?" });
  await host.untilType("agent_end");
  assert.deepEqual(modelsOf(server), ["first", "second", "first"]);
});

Deno.test("each of the list is asked once; then the run has failed", async () => {
  await using server = startModelServer(() => EXHAUSTED);
  await using host = await hostOn(server.baseUrl, "openai:first,openai:second");
  await host.send({ type: "prompt", message: "How many?" });
  await host.untilType("agent_end");
  assert.deepEqual(modelsOf(server), ["first", "second"]);
  assert.equal(host.frames.filter(({ type }) => type === "agent_end").length, 1);
  assert.equal(host.frames.filter(({ type }) => type === "notice").length, 1);
});

Deno.test("without a list the chosen model alone is asked", async () => {
  await using server = startModelServer(() => EXHAUSTED);
  const args = ["-d", await shop("sqlite"), "--no-session", "--model", "openai:first"];
  await using host = new OmpHost({
    args,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  });
  await host.send({ type: "prompt", message: "How many?" });
  await host.untilType("agent_end");
  assert.deepEqual(modelsOf(server), ["first"]);
});

Deno.test("the key of the command line is the chosen provider's alone, and no shell sees it", async () => {
  await using server = startModelServer(() => TEXT);
  const args = [
    "-d",
    await shop("sqlite"),
    "--no-session",
    "--model",
    "openai:m",
    "--api-key",
    "from-the-flag",
  ];
  await using host = new OmpHost({ args, env: { OPENAI_BASE_URL: server.baseUrl } });
  await host.send({ type: "prompt", message: "How many?" });
  await host.untilType("agent_end");
  assert.equal(server.asked[0]?.headers.get("authorization"), "Bearer from-the-flag");
  await host.send({ id: "m", type: "set_model", provider: "openai", modelId: "other" });
  assert.equal((await host.answer("m")).success, true);
  await host.send({ id: "n", type: "set_model", provider: "anthropic", modelId: "claude-opus-5" });
  assert.equal((await host.answer("n")).error, "No API key for anthropic/claude-opus-5");
  await host.send({ id: "b", type: "bash", command: "env" });
  assert.doesNotMatch(JSON.stringify(await host.answer("b")), /from-the-flag/);
});
