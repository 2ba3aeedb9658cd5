/**
 * What a request says of thinking at each level, by provider and model: data, in the words of each API.
 * A level that a model does not have becomes the nearest one it has. Off is off where the provider can; where it can't, or where
 * the model does not think unless it is told to, nothing is sent.
 */
import type { Fields, ThinkingFields, ThinkingLevel } from "./provider.ts";
import type { RuleSet } from "./providers.ts";

/** The first rule whose pattern fits the model's name holds; without one, nothing is sent. */
type ThinkingRules = readonly (readonly [models: RegExp, fields: ThinkingFields])[];

type On = Exclude<ThinkingLevel, "off">;
const ON = ["minimal", "low", "medium", "high", "maximum"] as const satisfies On[];

/** A word or a number for each level but off. */
type Scale<Value> = readonly [minimal: Value, low: Value, medium: Value, high: Value, maximum: Value];

function levels<Value>(scale: Scale<Value>, toFields: (value: Value) => Fields): ThinkingFields {
  return Object.fromEntries(ON.map((level, at) => [level, toFields(scale[at] ?? scale[0])]));
}

const same = (fields: Fields): ThinkingFields => levels([0, 0, 0, 0, 0], () => fields);
const effort = (value: string): Fields => ({ reasoning_effort: value });

const LOW_TO_HIGH: Scale<string> = ["low", "low", "medium", "high", "high"];
const LOW_TO_XHIGH: Scale<string> = ["low", "low", "medium", "high", "xhigh"];
const MINIMAL_TO_HIGH: Scale<string> = ["minimal", "low", "medium", "high", "high"];
const MINIMAL_TO_XHIGH: Scale<string> = ["minimal", "low", "medium", "high", "xhigh"];
const ALWAYS_HIGH: Scale<string> = ["high", "high", "high", "high", "high"];

/** Which efforts OpenAI's models take, and whether "none" is one of them. */
const OPENAI_EFFORTS: readonly (readonly [RegExp, { scale: Scale<string>; off?: string } | undefined])[] = [
  [/^(gpt-3|gpt-4|chatgpt|gpt-5(\.\d)?-chat)/, undefined],
  [/^o\d/, { scale: LOW_TO_HIGH }],
  [/^gpt-5-pro/, { scale: ALWAYS_HIGH }],
  [/^gpt-5-codex|^codex/, { scale: LOW_TO_HIGH }],
  [/^gpt-5(-mini|-nano)?(-\d{4}|$)/, { scale: MINIMAL_TO_HIGH }],
  [/^gpt-5\.1-codex-max/, { scale: LOW_TO_XHIGH }],
  [/^gpt-5\.1-codex/, { scale: LOW_TO_HIGH }],
  [/^gpt-5\.1/, { scale: LOW_TO_HIGH, off: "none" }],
  [/^gpt-[5-9].*(codex|pro)/, { scale: LOW_TO_XHIGH }],
  [/^gpt-([5-9]|\d\d)/, { scale: LOW_TO_XHIGH, off: "none" }],
  // a name that is not OpenAI's, on a server of the user's own
  [/./, { scale: MINIMAL_TO_XHIGH }],
];

/** For Chat Completions and for Responses, which differ in the member that holds the effort. */
function openaiRules(toFields: (effort: string) => Fields, always: Fields): ThinkingRules {
  return OPENAI_EFFORTS.map(([models, efforts]) => [
    models,
    efforts
      ? {
        off: efforts.off === undefined ? always : toFields(efforts.off),
        ...levels(efforts.scale, toFields),
      }
      : {},
  ]);
}

const OPENAI_CHAT = openaiRules(effort, {});

/** What the API needs to give a model's reasoning out and take it back. */
const ENCRYPTED = { include: ["reasoning.encrypted_content"] };

const OPENAI_RESPONSES = openaiRules(
  (effort) => ({ reasoning: { effort, ...(effort === "none" ? {} : { summary: "auto" }) }, ...ENCRYPTED }),
  ENCRYPTED,
);

const adaptive = (display: boolean) => (effort: string): Fields => ({
  thinking: { type: "adaptive", ...(display ? { display: "summarized" } : {}) },
  output_config: { effort },
});
const TO_MAX: Scale<string> = ["low", "low", "medium", "high", "max"];
const budget = (budget_tokens: number): Fields => ({ thinking: { type: "enabled", budget_tokens } });

/** Newer models think unless they are told not to, and some can't be told; older ones only when they are told to. */
const ANTHROPIC: ThinkingRules = [
  [/^claude-(2|3-5|3-opus|3-sonnet|3-haiku)/, {}],
  [/^claude-(opus|sonnet)-4-6/, levels(TO_MAX, adaptive(false))],
  [/^claude-opus-4-[7-9]/, levels(LOW_TO_XHIGH, adaptive(true))],
  // whose answers end at 32,000 tokens, thinking included
  [/^claude-opus-4(-0|-1|-20|$)/, levels([1024, 2048, 10_000, 16_384, 28_000], budget)],
  [/^claude-(3-7|(opus|sonnet)-4|haiku-4)/, levels([1024, 2048, 10_000, 16_384, 32_768], budget)],
  [/^claude-opus-5-5/, levels(LOW_TO_XHIGH, adaptive(true))],
  [/^claude-sonnet-5-5/, {
    off: { thinking: { type: "between_tools" } },
    ...levels(LOW_TO_XHIGH, adaptive(true)),
  }],
  [/^claude-(opus|sonnet|haiku)-5/, {
    off: { thinking: { type: "disabled" } },
    ...levels(LOW_TO_XHIGH, adaptive(true)),
  }],
  [/^claude-/, levels(LOW_TO_XHIGH, adaptive(true))],
];

const gemini = (thinking_config: Fields): Fields => ({ extra_body: { google: { thinking_config } } });
const geminiBudget = (thinking_budget: number): Fields => gemini({ thinking_budget, include_thoughts: true });
const GEMINI_BUDGETS: Scale<number> = [128, 2048, 8192, 24_576, 24_576];

const GOOGLE: ThinkingRules = [
  [/^gemini-(1|2\.0)|^gemma/, {}],
  [/^gemini-2\.5-pro/, levels(GEMINI_BUDGETS, geminiBudget)],
  [/^gemini-2\.5/, { off: gemini({ thinking_budget: 0 }), ...levels(GEMINI_BUDGETS, geminiBudget) }],
  [
    /^gemini-/,
    levels(
      ["MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH"],
      (thinking_level) => gemini({ thinking_level, include_thoughts: true }),
    ),
  ],
];

const PARSED = { reasoning_format: "parsed" };

const GROQ: ThinkingRules = [
  [/gpt-oss/, levels(LOW_TO_HIGH, effort)],
  [/qwen3/, { off: effort("none"), ...same({ ...effort("default"), ...PARSED }) }],
  [/llama|gemma|kimi|whisper|allam/, {}],
  [/./, same(PARSED)],
];

const MISTRAL: ThinkingRules = [
  [/^magistral/, same({ prompt_mode: "reasoning" })],
  [/^mistral-(small|medium)-latest/, { off: effort("none"), ...levels(ALWAYS_HIGH, effort) }],
];

/** Grok 4 thinks as it likes and refuses to be told. */
const XAI: ThinkingRules = [[/^grok-3-mini/, levels(["low", "low", "low", "high", "high"], effort)]];

const DEEPSEEK: ThinkingRules = [
  [/^deepseek-reasoner/, {}],
  [/./, { off: { thinking: { type: "disabled" } }, ...same({ thinking: { type: "enabled" } }) }],
];

const OPENROUTER: ThinkingRules = [
  [/./, {
    off: { reasoning: { effort: "none" } },
    ...levels(MINIMAL_TO_XHIGH, (effort) => ({ reasoning: { effort } })),
  }],
];

const TOGETHER: ThinkingRules = [
  [/gpt-oss/i, levels(LOW_TO_HIGH, effort)],
  [/deepseek-v3|qwen3|kimi|glm/i, {
    off: { reasoning: { enabled: false } },
    ...same({ reasoning: { enabled: true } }),
  }],
];

const COHERE: ThinkingRules = [
  [/reasoning/, { off: effort("none"), ...levels(ALWAYS_HIGH, effort) }],
];

const OLLAMA: ThinkingRules = [[/./, { off: effort("none"), ...levels(LOW_TO_HIGH, effort) }]];
const LM_STUDIO: ThinkingRules = [[/./, levels(LOW_TO_HIGH, effort)]];

/** llama.cpp and vLLM hand these to the model's chat template; a template without such a switch overlooks it. */
const CHAT_TEMPLATE: ThinkingRules = [
  [/./, {
    off: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    ...levels(LOW_TO_HIGH, (reasoning_effort) => ({
      chat_template_kwargs: { enable_thinking: true, thinking: true, reasoning_effort },
    })),
  }],
];

const RULES: { readonly [set in RuleSet]: ThinkingRules } = {
  openaiResponses: OPENAI_RESPONSES,
  openaiChat: OPENAI_CHAT,
  anthropic: ANTHROPIC,
  google: GOOGLE,
  groq: GROQ,
  mistral: MISTRAL,
  xai: XAI,
  deepseek: DEEPSEEK,
  openrouter: OPENROUTER,
  together: TOGETHER,
  cohere: COHERE,
  lmStudio: LM_STUDIO,
  ollama: OLLAMA,
  chatTemplate: CHAT_TEMPLATE,
};

/** What requests to this model say of thinking; nothing without rules. */
export function thinkingFields(set: RuleSet | undefined, name: string): ThinkingFields {
  const rules = set === undefined ? [] : RULES[set];
  return rules.find(([models]) => models.test(name))?.[1] ?? {};
}
