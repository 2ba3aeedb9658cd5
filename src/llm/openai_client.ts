/**
 * OpenAI's client library, made to do nothing by itself: no retries, no headers and no settings from the environment.
 */
import OpenAI from "openai";
import type { Library } from "./library_fault.ts";
import type { ModelOptions } from "./provider.ts";
import { watchedFetch } from "./watched_fetch.ts";

/** The library reads the environment for whatever is left out here. */
export function openaiClient(options: ModelOptions): OpenAI {
  return new OpenAI({
    baseURL: options.baseUrl,
    // The library insists on a key; watchedFetch does not send one that is none.
    apiKey: options.apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // watchedFetch bounds the waiting; this bound must not be met before.
    timeout: 2 * options.silenceMs,
    logLevel: "off",
    fetch: watchedFetch(options),
  });
}

/** `api` as in Library. */
export function openaiLibrary(api: string): Library {
  return {
    api,
    isApiError: (error) => error instanceof OpenAI.APIError,
    isOwnError: (error) => error instanceof OpenAI.OpenAIError,
  };
}
