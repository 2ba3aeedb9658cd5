/**
 * Providers as data, and the one place that turns `provider:id` into a model.
 * An adapter and its client library are loaded at the first question.
 */
import { Fault } from "../base/fault.ts";
import { ollamaAddress } from "./ollama_address.ts";
import type { Model, ModelEvent, ModelOptions, ModelRequest } from "./provider.ts";

/** Environment variables by name; what is absent or empty is not set. */
export type Environment = { readonly [name: string]: string | undefined };

type Load = (options: ModelOptions) => Promise<Model>;

const ADAPTERS = {
  chat: async (options) => (await import("./openai.ts")).openaiModel(options),
} as const satisfies { readonly [name: string]: Load };

interface Provider {
  readonly adapter: keyof typeof ADAPTERS;
  /** The variable with the API key; a provider without one needs none. */
  readonly keyVariable?: string;
  readonly baseUrlVariable: string;
  readonly defaultBaseUrl: string;
  /** The variable may hold a host alone; this makes an address of it. */
  complete?(value: string): string;
  readonly efforts: ModelOptions["efforts"];
}

const PROVIDERS: { readonly [name: string]: Provider } = {
  openai: {
    adapter: "chat",
    keyVariable: "OPENAI_API_KEY",
    baseUrlVariable: "OPENAI_BASE_URL",
    defaultBaseUrl: "https://api.openai.com/v1",
    efforts: { minimal: "minimal", low: "low", medium: "medium", high: "high", maximum: "xhigh" },
  },
  ollama: {
    adapter: "chat",
    baseUrlVariable: "OLLAMA_HOST",
    defaultBaseUrl: "http://127.0.0.1:11434/v1",
    complete: ollamaAddress,
    efforts: { off: "none", minimal: "low", low: "low", medium: "medium", high: "high", maximum: "high" },
  },
};

/** A server may be silent for so long: some think before their first word, others load the model first. */
const SILENCE_MS = 300_000;

/** The model named `provider:id`. Throws Fault `no_model` for what is malformed, unknown or without its key. */
export function openModel(id: string, environment: Environment): Model {
  const colon = id.indexOf(":");
  const name = id.slice(colon + 1);
  if (colon < 1 || name.trim() === "") {
    throw new Fault(
      "no_model",
      `Cannot use the model "${id}": it is not of the form provider:id. ${EXAMPLE}`,
    );
  }
  const provider = Object.hasOwn(PROVIDERS, id.slice(0, colon)) ? PROVIDERS[id.slice(0, colon)] : undefined;
  if (!provider) {
    const known = Object.keys(PROVIDERS).join(", ");
    throw new Fault("no_model", `Cannot use the model "${id}": its provider is unknown. Known are ${known}.`);
  }
  const apiKey = provider.keyVariable && environment[provider.keyVariable];
  if (provider.keyVariable && !apiKey) {
    throw new Fault(
      "no_model",
      `Cannot use the model "${id}": there is no API key. Set ${provider.keyVariable}.`,
    );
  }
  const options = {
    id,
    baseUrl: baseUrlOf(provider, environment),
    efforts: provider.efforts,
    silenceMs: SILENCE_MS,
    ...(apiKey ? { apiKey } : {}),
  };
  return new LazyModel(options, ADAPTERS[provider.adapter]);
}

const EXAMPLE = "An example is openai:gpt-5.";

class LazyModel implements Model {
  readonly id: string;
  readonly name: string;
  readonly #load: () => Promise<Model>;
  #loaded: Promise<Model> | undefined;

  constructor(options: ModelOptions, load: Load) {
    this.id = options.id;
    this.name = options.id.slice(options.id.indexOf(":") + 1);
    this.#load = () => load(options);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.#loaded ??= this.#load();
    yield* (await this.#loaded).stream(request);
  }
}

function baseUrlOf(provider: Provider, environment: Environment): string {
  const variable = provider.baseUrlVariable;
  const value = environment[variable]?.trim();
  if (!value) return provider.defaultBaseUrl;
  const address = (provider.complete?.(value) ?? value).replace(/\/+$/, "");
  const url = URL.parse(address);
  if (url?.protocol === "http:" || url?.protocol === "https:") return address;
  throw new Fault(
    "no_model",
    `Cannot use ${variable}: it is not an http or https address. Set or remove it.`,
  );
}
