/**
 * The providers that saber knows, as data. What a user adds has the same form; registry.ts makes models of both.
 */
import { azureAddress } from "./azure_address.ts";
import { ollamaAddress } from "./ollama_address.ts";
import type { ModelOptions } from "./provider.ts";

/** The sets of rules in thinking.ts, which is not needed before the first question. */
export type RuleSet =
  | "openaiChat"
  | "openaiResponses"
  | "anthropic"
  | "google"
  | "groq"
  | "mistral"
  | "xai"
  | "deepseek"
  | "openrouter"
  | "together"
  | "cohere"
  | "ollama"
  | "lmStudio"
  | "chatTemplate";

/** The APIs that are spoken. */
export type AdapterName = "chat" | "responses" | "anthropic";

export interface Provider {
  readonly adapter: AdapterName;
  /** The adapter at an address of the user's own, where that is another one. */
  readonly adapterElsewhere?: AdapterName;
  /** Variables of the environment that may hold the API key, the usual one first; without any, no key is needed. */
  readonly keyVariables: readonly string[];
  /** A key is sent where there is one, and not missed where there is none. */
  readonly isKeyOptional?: true;
  readonly baseUrlVariable: string;
  /** Undefined where each user has an address of his own. */
  readonly baseUrl: string | undefined;
  /** The variable may hold a host alone; this makes an address of it. */
  complete?(value: string): string;
  /** In the words of each adapter that may be used. */
  readonly thinking: { readonly [adapter in AdapterName]?: RuleSet };
  readonly quirks?: Pick<ModelOptions, "wantsThinkingBack" | "callIds">;
}

interface ChatOptions extends Omit<Partial<Provider>, "thinking"> {
  readonly baseUrl: string | undefined;
  readonly thinking: RuleSet;
}

/** A provider of the Chat Completions family; its variables begin with the prefix. */
function chat(prefix: string, { thinking, ...options }: ChatOptions): Provider {
  return {
    adapter: "chat",
    keyVariables: [`${prefix}_API_KEY`],
    baseUrlVariable: `${prefix}_BASE_URL`,
    thinking: { chat: thinking },
    ...options,
  };
}

export const PROVIDERS: { readonly [name: string]: Provider } = {
  openai: {
    adapter: "responses",
    adapterElsewhere: "chat",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    thinking: { responses: "openaiResponses", chat: "openaiChat" },
  },
  anthropic: {
    adapter: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
    thinking: { anthropic: "anthropic" },
  },
  google: chat("GOOGLE", {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    thinking: "google",
  }),
  groq: chat("GROQ", { baseUrl: "https://api.groq.com/openai/v1", thinking: "groq" }),
  mistral: chat("MISTRAL", {
    baseUrl: "https://api.mistral.ai/v1",
    thinking: "mistral",
    quirks: { callIds: "nine" },
  }),
  xai: chat("XAI", { baseUrl: "https://api.x.ai/v1", thinking: "xai" }),
  deepseek: chat("DEEPSEEK", {
    baseUrl: "https://api.deepseek.com/v1",
    thinking: "deepseek",
    quirks: { wantsThinkingBack: true },
  }),
  openrouter: chat("OPENROUTER", { baseUrl: "https://openrouter.ai/api/v1", thinking: "openrouter" }),
  together: chat("TOGETHER", { baseUrl: "https://api.together.xyz/v1", thinking: "together" }),
  cohere: chat("COHERE", {
    baseUrl: "https://api.cohere.ai/compatibility/v1",
    keyVariables: ["COHERE_API_KEY", "CO_API_KEY"],
    thinking: "cohere",
  }),
  huggingface: chat("HUGGINGFACE", {
    baseUrl: "https://router.huggingface.co/v1",
    keyVariables: ["HUGGINGFACE_API_KEY", "HF_TOKEN"],
    thinking: "lmStudio",
  }),
  azure: chat("AZURE_OPENAI", {
    baseUrl: undefined,
    baseUrlVariable: "AZURE_OPENAI_ENDPOINT",
    complete: azureAddress,
    thinking: "openaiChat",
  }),
  ollama: chat("OLLAMA", {
    baseUrl: "http://127.0.0.1:11434/v1",
    isKeyOptional: true,
    baseUrlVariable: "OLLAMA_HOST",
    complete: ollamaAddress,
    thinking: "ollama",
  }),
  lmstudio: chat("LMSTUDIO", {
    baseUrl: "http://127.0.0.1:1234/v1",
    isKeyOptional: true,
    thinking: "lmStudio",
  }),
  "llama.cpp": chat("LLAMACPP", {
    baseUrl: "http://127.0.0.1:8080/v1",
    isKeyOptional: true,
    thinking: "chatTemplate",
  }),
  vllm: chat("VLLM", {
    baseUrl: "http://127.0.0.1:8000/v1",
    isKeyOptional: true,
    thinking: "chatTemplate",
  }),
};

/** What holds for a server that saber does not know, by the names of the models. */
export const UNKNOWN_THINKING: Provider["thinking"] = {
  anthropic: "anthropic",
  responses: "openaiResponses",
};

/** Other names of providers. */
export const ALIASES: { readonly [name: string]: string } = {
  "google-gla": "google",
  gemini: "google",
  llamacpp: "llama.cpp",
};
