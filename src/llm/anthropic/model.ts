/**
 * Models behind Anthropic's Messages API, through Anthropic's client library.
 * One request at a time is one stream; retries, history and tools are other files' work.
 */
import Anthropic from "@anthropic-ai/sdk";
import type { Library } from "../library_fault.ts";
import { modelName } from "../model_name.ts";
import type { Model, ModelOptions } from "../provider.ts";
import { adapterModel } from "../stream_answer.ts";
import { watchedFetch } from "../watched_fetch.ts";
import { AnthropicAnswer } from "./answer.ts";
import { anthropicRequest } from "./request.ts";

const LIBRARY: Library = {
  api: "a Messages",
  isApiError: (error) => error instanceof Anthropic.APIError,
  isOwnError: (error) => error instanceof Anthropic.AnthropicError,
};

export function anthropicModel(options: ModelOptions): Model {
  const asked = { ...options, name: modelName(options.id) };
  const { messages } = makeClient(options);
  return adapterModel(options, {
    library: LIBRARY,
    reader: (answer) => new AnthropicAnswer(answer, options),
    open: (request) => messages.create(anthropicRequest(request, asked), { signal: request.signal }),
  });
}

/** The library reads the environment, and files of the user, for whatever is left out here. */
function makeClient(options: ModelOptions): Anthropic {
  return new Anthropic({
    // The library adds the version itself; people write the address with it as well as without.
    baseURL: options.baseUrl.replace(/\/v1$/, ""),
    // The library insists on a key; watchedFetch does not send one that is none.
    apiKey: options.apiKey ?? "none",
    webhookKey: null,
    maxRetries: 0,
    // watchedFetch bounds the waiting; this bound must not be met before.
    timeout: 2 * options.silenceMs,
    logLevel: "off",
    openTelemetry: false,
    fetch: watchedFetch(options),
  });
}
