/**
 * Context, longest answer and price of well-known models, as far as they were known on the date below: data, not all of it confirmed
 * by the providers, who change it.
 * The user's config.jsonc overrides it; what stands in neither is unknown.
 */
import type { ModelOptions, Price } from "./provider.ts";

/** When the table was written. */
export const FACTS_AS_OF = "2026-11-30";

type Facts = Pick<ModelOptions, "contextTokens" | "maxOutputTokens" | "price">;

/** Anthropic asks the same share for writing to its cache everywhere. */
function claude(
  [contextTokens, maxOutputTokens]: readonly [number, number],
  price: Pick<Price, "input" | "output" | "cacheRead">,
): Facts {
  return { contextTokens, maxOutputTokens, price: { ...price, cacheWrite: 1.25 * price.input } };
}

const OPUS = { input: 5, output: 25, cacheRead: 0.5 };
const OLD_OPUS = { input: 15, output: 75, cacheRead: 1.5 };
const SONNET = { input: 3, output: 15, cacheRead: 0.3 };
const SONNET_5 = { input: 2, output: 10, cacheRead: 0.2 };

const MODELS: { readonly [provider: string]: { readonly [name: string]: Facts } } = {
  anthropic: {
    "claude-fable-5-1": { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
    "claude-fable-5": { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
    "claude-opus-5-5": claude([1_000_000, 128_000], { input: 4, output: 20, cacheRead: 0.2 }),
    "claude-opus-5": claude([1_000_000, 128_000], OPUS),
    "claude-opus-4-8": claude([1_000_000, 128_000], OPUS),
    "claude-opus-4-7": claude([1_000_000, 128_000], OPUS),
    "claude-opus-4-6": claude([1_000_000, 128_000], OPUS),
    "claude-opus-4-5": claude([200_000, 64_000], OPUS),
    "claude-opus-4-1": claude([200_000, 32_000], OLD_OPUS),
    "claude-opus-4": claude([200_000, 32_000], OLD_OPUS),
    "claude-opus-4-0": claude([200_000, 32_000], OLD_OPUS),
    "claude-sonnet-5-5": claude([1_000_000, 128_000], SONNET_5),
    "claude-sonnet-5": claude([1_000_000, 128_000], SONNET_5),
    "claude-sonnet-4-6": claude([1_000_000, 64_000], SONNET),
    "claude-sonnet-4-5": claude([200_000, 64_000], SONNET),
    "claude-sonnet-4": claude([200_000, 64_000], SONNET),
    "claude-sonnet-4-0": claude([200_000, 64_000], SONNET),
    "claude-3-7-sonnet": claude([200_000, 64_000], SONNET),
    "claude-haiku-5-5": { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
    "claude-haiku-4-5": claude([200_000, 64_000], { input: 1, output: 5, cacheRead: 0.1 }),
    "claude-3-5-haiku": claude([200_000, 8192], { input: 0.8, output: 4, cacheRead: 0.08 }),
    "claude-3-haiku": { contextTokens: 200_000, maxOutputTokens: 4096 },
  },
  openai: {
    "gpt-5.4": {
      contextTokens: 1_050_000,
      price: { input: 2.5, output: 15, cacheRead: 0.25, upToInputTokens: 272_000 },
    },
    "gpt-5.4-mini": { contextTokens: 400_000, price: { input: 0.75, output: 4.5, cacheRead: 0.075 } },
    "gpt-5.2": { contextTokens: 400_000, price: { input: 1.75, output: 14, cacheRead: 0.175 } },
    "gpt-5.1": { contextTokens: 400_000, price: { input: 1.25, output: 10, cacheRead: 0.125 } },
    "gpt-5": { contextTokens: 400_000, price: { input: 1.25, output: 10, cacheRead: 0.125 } },
    "gpt-5-mini": { contextTokens: 400_000, price: { input: 0.25, output: 2, cacheRead: 0.025 } },
    "gpt-5-nano": { contextTokens: 400_000, price: { input: 0.05, output: 0.4, cacheRead: 0.005 } },
    "gpt-4.1": { contextTokens: 1_047_576, price: { input: 2, output: 8, cacheRead: 0.5 } },
    "gpt-4.1-mini": { contextTokens: 1_047_576, price: { input: 0.4, output: 1.6, cacheRead: 0.1 } },
    "gpt-4.1-nano": { contextTokens: 1_047_576, price: { input: 0.1, output: 0.4, cacheRead: 0.025 } },
    "gpt-4o": { contextTokens: 128_000, price: { input: 2.5, output: 10, cacheRead: 1.25 } },
    "gpt-4o-mini": { contextTokens: 128_000, price: { input: 0.15, output: 0.6, cacheRead: 0.075 } },
    "o3": { contextTokens: 200_000, price: { input: 2, output: 8, cacheRead: 0.5 } },
    "o4-mini": { contextTokens: 200_000, price: { input: 1.1, output: 4.4, cacheRead: 0.275 } },
  },
  google: {
    "gemini-2.5-pro": {
      contextTokens: 1_048_576,
      price: { input: 1.25, output: 10, cacheRead: 0.125, upToInputTokens: 200_000 },
    },
    "gemini-2.5-flash": { contextTokens: 1_048_576, price: { input: 0.3, output: 2.5, cacheRead: 0.03 } },
    "gemini-2.5-flash-lite": {
      contextTokens: 1_048_576,
      price: { input: 0.1, output: 0.4, cacheRead: 0.01 },
    },
  },
  groq: {
    "openai/gpt-oss-120b": { contextTokens: 131_072, price: { input: 0.15, output: 0.6, cacheRead: 0.075 } },
    "llama-3.3-70b-versatile": { contextTokens: 131_072, price: { input: 0.59, output: 0.79 } },
  },
};

/** A model's name may have the day of its making behind it. */
const SUFFIX = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** Nothing for a model that is not in the table. */
export function modelFacts(provider: string, name: string): Facts {
  const models = Object.hasOwn(MODELS, provider) ? MODELS[provider] ?? {} : {};
  const known = [name, name.replace(SUFFIX, "")].find((each) => Object.hasOwn(models, each));
  return known === undefined ? {} : models[known] ?? {};
}

/** The ids of a provider's models in the table. */
export function knownModels(provider: string): string[] {
  return Object.hasOwn(MODELS, provider) ? Object.keys(MODELS[provider] ?? {}) : [];
}
