import assert from "node:assert/strict";
import * as z from "zod/mini";
import type { ThinkingLevel } from "../../src/llm/provider.ts";
import { openModel } from "../../src/llm/registry.ts";
import { ask } from "../support/asking.ts";
import { startModelServer } from "../support/model_server.ts";

const LEVELS = ["off", "minimal", "low", "medium", "high", "maximum"] as const satisfies ThinkingLevel[];

/** What a request says of thinking at each of the levels, in their order. */
type Six = readonly [unknown, unknown, unknown, unknown, unknown, unknown];

const NOTHING = {};
const all = (fields: unknown): Six => [fields, fields, fields, fields, fields, fields];
const each = (values: Six, toFields: (value: unknown) => unknown): Six => {
  const [off, minimal, low, medium, high, maximum] = values.map((value) =>
    value === undefined ? NOTHING : toFields(value)
  );
  return [off, minimal, low, medium, high, maximum];
};
const effort = (...values: Six) => each(values, (reasoning_effort) => ({ reasoning_effort }));
const adaptive = (display: boolean, off: unknown, efforts: readonly string[]): Six => {
  const [minimal, low, medium, high, maximum] = efforts.map((effort) => ({
    thinking: { type: "adaptive", ...(display ? { display: "summarized" } : {}) },
    output_config: { effort },
  }));
  return [off, minimal, low, medium, high, maximum];
};
const TO_XHIGH = ["low", "low", "medium", "high", "xhigh"];
const include = ["reasoning.encrypted_content"];
const reasoned = (off: unknown, ...efforts: readonly string[]): Six => {
  const [minimal, low, medium, high, maximum] = efforts.map((effort) => ({
    reasoning: { effort, summary: "auto" },
    include,
  }));
  return [off, minimal, low, medium, high, maximum];
};
const gemini = (off: unknown, member: string, values: readonly unknown[]): Six => {
  const [minimal, low, medium, high, maximum] = values.map((value) => ({
    extra_body: { google: { thinking_config: { [member]: value, include_thoughts: true } } },
  }));
  return [off, minimal, low, medium, high, maximum];
};
const BUDGETS = [128, 2048, 8192, 24_576, 24_576];
const onOff = (off: unknown, on: unknown): Six => [off, on, on, on, on, on];
const budget = (budget_tokens: number) => ({ thinking: { type: "enabled", budget_tokens } });
const template = (reasoning_effort?: string) => ({
  chat_template_kwargs: reasoning_effort === undefined
    ? { enable_thinking: false, thinking: false }
    : { enable_thinking: true, thinking: true, reasoning_effort },
});

const EXPECTED: { readonly [id: string]: Six } = {
  "anthropic:claude-opus-4-5-20251101": [
    NOTHING,
    budget(1024),
    budget(2048),
    budget(10_000),
    budget(16_384),
    budget(32_768),
  ],
  "anthropic:claude-sonnet-4-6": adaptive(false, NOTHING, ["low", "low", "medium", "high", "max"]),
  "anthropic:claude-opus-4-6": adaptive(false, NOTHING, ["low", "low", "medium", "high", "max"]),
  "anthropic:claude-opus-4-7": adaptive(true, NOTHING, TO_XHIGH),
  "anthropic:claude-opus-5": adaptive(true, { thinking: { type: "disabled" } }, TO_XHIGH),
  "anthropic:claude-sonnet-5": adaptive(true, { thinking: { type: "disabled" } }, TO_XHIGH),
  "anthropic:claude-haiku-5-5": adaptive(true, { thinking: { type: "disabled" } }, TO_XHIGH),
  "anthropic:claude-sonnet-5-5": adaptive(true, { thinking: { type: "between_tools" } }, TO_XHIGH),
  "anthropic:claude-opus-5-5": adaptive(true, NOTHING, TO_XHIGH),
  "anthropic:claude-fable-5-1": adaptive(true, NOTHING, TO_XHIGH),
  "anthropic:claude-3-5-haiku-20241022": all(NOTHING),
  "responses:some-reasoner": reasoned({ include }, "minimal", "low", "medium", "high", "xhigh"),
  "responses:gpt-5-mini": reasoned({ include }, "minimal", "low", "medium", "high", "high"),
  "responses:gpt-5.5": reasoned({ reasoning: { effort: "none" }, include }, ...TO_XHIGH),
  "responses:gpt-4.1": all(NOTHING),
  "openai:some-model": effort(undefined, "minimal", "low", "medium", "high", "xhigh"),
  "openai:gpt-5": effort(undefined, "minimal", "low", "medium", "high", "high"),
  "openai:gpt-5.1": effort("none", "low", "low", "medium", "high", "high"),
  "openai:gpt-5.2": effort("none", "low", "low", "medium", "high", "xhigh"),
  "openai:gpt-5.3-codex": effort(undefined, "low", "low", "medium", "high", "xhigh"),
  "openai:gpt-5-pro": effort(undefined, "high", "high", "high", "high", "high"),
  "openai:gpt-6-sol": effort("none", "low", "low", "medium", "high", "xhigh"),
  "openai:o4-mini": effort(undefined, "low", "low", "medium", "high", "high"),
  "openai:gpt-4o": all(NOTHING),
  "azure:gpt-5.2": effort("none", "low", "low", "medium", "high", "xhigh"),
  "google:gemini-3-pro-preview": gemini(NOTHING, "thinking_level", [
    "MINIMAL",
    "LOW",
    "MEDIUM",
    "HIGH",
    "HIGH",
  ]),
  "google-gla:gemini-2.5-pro": gemini(NOTHING, "thinking_budget", BUDGETS),
  "google:gemini-2.5-flash": gemini(
    { extra_body: { google: { thinking_config: { thinking_budget: 0 } } } },
    "thinking_budget",
    BUDGETS,
  ),
  "google:gemini-2.0-flash": all(NOTHING),
  "groq:openai/gpt-oss-120b": effort(undefined, "low", "low", "medium", "high", "high"),
  "groq:qwen/qwen3-32b": onOff(
    { reasoning_effort: "none" },
    { reasoning_effort: "default", reasoning_format: "parsed" },
  ),
  "groq:deepseek-r1-distill": onOff(NOTHING, { reasoning_format: "parsed" }),
  "groq:llama-3.3-70b-versatile": all(NOTHING),
  "mistral:magistral-medium-latest": onOff(NOTHING, { prompt_mode: "reasoning" }),
  "mistral:mistral-medium-latest": effort("none", "high", "high", "high", "high", "high"),
  "mistral:mistral-large-latest": all(NOTHING),
  "xai:grok-3-mini": effort(undefined, "low", "low", "low", "high", "high"),
  "xai:grok-4": all(NOTHING),
  "deepseek:deepseek-chat": onOff({ thinking: { type: "disabled" } }, { thinking: { type: "enabled" } }),
  "deepseek:deepseek-reasoner": all(NOTHING),
  "openrouter:anthropic/claude-sonnet-5": each(
    ["none", "minimal", "low", "medium", "high", "xhigh"],
    (effort) => ({ reasoning: { effort } }),
  ),
  "together:openai/gpt-oss-20b": effort(undefined, "low", "low", "medium", "high", "high"),
  "together:Qwen/Qwen3-235B": onOff({ reasoning: { enabled: false } }, { reasoning: { enabled: true } }),
  "cohere:command-a-reasoning-08-2025": effort("none", "high", "high", "high", "high", "high"),
  "cohere:command-a-03-2025": all(NOTHING),
  "huggingface:openai/gpt-oss-120b": effort(undefined, "low", "low", "medium", "high", "high"),
  "ollama:qwen3:8b": effort("none", "low", "low", "medium", "high", "high"),
  "lmstudio:openai/gpt-oss-20b": effort(undefined, "low", "low", "medium", "high", "high"),
  "llama.cpp:any": each(
    ["", "low", "low", "medium", "high", "high"],
    (effort) => template(effort ? String(effort) : undefined),
  ),
  "vllm:any": each(
    ["", "low", "low", "medium", "high", "high"],
    (effort) => template(effort ? String(effort) : undefined),
  ),
};

/** What a request holds besides what it says of thinking. */
const OTHERS = [
  "model",
  "messages",
  "input",
  "instructions",
  "system",
  "max_tokens",
  "stream",
  "stream_options",
  "store",
];

for (const [id, expected] of Object.entries(EXPECTED)) {
  Deno.test(`what each thinking level sends to ${id}`, async () => {
    const provider = id.slice(0, id.indexOf(":"));
    const folder = provider === "anthropic" || provider === "responses" ? provider : "openai";
    await using server = startModelServer(() => ({ stream: `${folder}/text.sse` }));
    const variable = `${provider.replace("google-gla", "google").replace(".", "").toUpperCase()}_BASE_URL`;
    const model = openModel(id, {
      [variable]: server.baseUrl,
      OLLAMA_HOST: server.baseUrl,
      AZURE_OPENAI_ENDPOINT: server.baseUrl,
    }, {
      apiKey: "key",
      providers: { responses: { adapter: "responses", baseUrl: server.baseUrl } },
    });
    for (const thinking of LEVELS) await ask(model, { thinking });
    const sent = server.asked.map(({ body }) => {
      assert.ok(typeof body === "object" && body !== null);
      return Object.fromEntries(Object.entries(body).filter(([name]) => !OTHERS.includes(name)));
    });
    assert.deepEqual(sent, [...expected]);
  });
}

Deno.test("every rule of thinking for Anthropic leaves room for the answer", async () => {
  await using server = startModelServer(() => ({ stream: "anthropic/text.sse" }));
  for (const name of ["claude-opus-4-1-20250805", "claude-sonnet-4-5", "claude-3-7-sonnet-latest"]) {
    const model = openModel(`anthropic:${name}`, { ANTHROPIC_BASE_URL: server.baseUrl }, { apiKey: "key" });
    for (const thinking of LEVELS) await ask(model, { thinking });
  }
  const Body = z.object({
    max_tokens: z.number(),
    thinking: z.optional(z.object({ budget_tokens: z.number() })),
  });
  const bodies = server.asked.map(({ body }) => Body.parse(body));
  assert.equal(bodies.filter(({ thinking }) => thinking).length, 15);
  for (const { max_tokens, thinking } of bodies) {
    assert.ok((thinking?.budget_tokens ?? 0) <= max_tokens - 4000, `${max_tokens}`);
  }
});
