/**
 * The one place that turns `provider:id` into a model. What the providers are is providers.ts's.
 * An adapter and its client library are loaded at the first question.
 */
import { Fault } from "../base/fault.ts";
import { fitsHeader } from "../base/header_text.ts";
import { openedOnce } from "../base/opened_once.ts";
import { shown } from "../base/shown.ts";
import { modelFacts } from "./model_facts.ts";
import { modelName } from "./model_name.ts";
import type { Model, ModelOptions } from "./provider.ts";
import { type AdapterName, ALIASES, PROVIDERS } from "./providers.ts";
import { type Environment, keyIn, needsKey, placeOf } from "./provider_place.ts";
import { retrying } from "./retrying.ts";
import { type UserProvider, withUserProvider } from "./user_provider.ts";

type Load = (options: ModelOptions) => Promise<Model>;

const ADAPTERS: { readonly [name in AdapterName]: Load } = {
  chat: async (options) => (await import("./chat/model.ts")).chatModel(options),
  responses: async (options) => (await import("./responses/model.ts")).responsesModel(options),
  anthropic: async (options) => (await import("./anthropic/model.ts")).anthropicModel(options),
};

export type { Environment };

export interface OpenOptions {
  /** The providers in the user's own settings, by name. */
  readonly providers?: { readonly [name: string]: UserProvider };
  /** Ask once; whoever asks repeats what failed, and tells of it. */
  readonly once?: true;
  /** Used instead of the environment's. */
  readonly apiKey?: string | undefined;
}

/** A server may be silent for so long: some think before their first word, others load the model first. */
const SILENCE_MS = 300_000;
/** Where whoever asks repeats what failed, and tells of it, there is less to lose. */
const SILENCE_ONCE_MS = 120_000;
const UNFIT_KEY = "its API key has a line break in it, or another character that cannot be sent.";
const EXAMPLE = "An example is openai:gpt-5.";

/** The model named `provider:id`. Throws Fault `no_model` for what is malformed, unknown or without its key. */
export function openModel(id: string, environment: Environment, options: OpenOptions = {}): Model {
  const { name, provider, providerName, own } = find(id, options);
  const apiKey = options.apiKey ?? keyIn(provider, environment)?.key;
  if (apiKey === undefined && needsKey(provider)) {
    const ways = `Set ${provider.keyVariables[0]}, or run 'saber auth setup ${providerName}'.`;
    throw new Fault("no_model", `Cannot use the model ${shown(id)}: there is no API key. ${ways}`);
  }
  if (apiKey !== undefined && !fitsHeader(apiKey)) {
    throw new Fault("no_model", `Cannot use the model ${shown(id)}: ${UNFIT_KEY} Copy the key again.`);
  }
  const ownModel = Object.hasOwn(own?.models ?? {}, name) ? own?.models?.[name] : undefined;
  const place = placeOf(provider, environment);
  if (place.baseUrl === undefined) {
    const state = `${providerName} has no address. Set ${provider.baseUrlVariable}`;
    throw new Fault("no_model", `Cannot use the model ${shown(id)}: ${state}.`);
  }
  const isElsewhere = place.isElsewhere || own?.baseUrl !== undefined;
  const adapter = (place.isElsewhere ? provider.adapterElsewhere : undefined) ?? provider.adapter;
  const known = {
    id,
    baseUrl: place.baseUrl,
    silenceMs: silenceOf(own, options),
    ...provider.quirks,
    ...factsFor(modelFacts(providerName, name), { isElsewhere }),
    ...ownModel,
    ...(own?.headers ? { headers: own.headers } : {}),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const model = lazyModel(known, async () => {
    const { thinkingFields } = await import("./thinking.ts");
    const thinking = ownModel?.thinking ?? thinkingFields(provider.thinking[adapter], name);
    return await ADAPTERS[adapter]({ ...known, thinking });
  });
  return options.once ? model : retrying(model);
}

/** The provider whose key has to be looked for elsewhere, as the environment has none; undefined where none is needed. */
export function missingKey(id: string, environment: Environment, options: OpenOptions = {}) {
  const { provider, providerName } = find(id, options);
  const isMissing = needsKey(provider) && keyIn(provider, environment) === undefined;
  return isMissing ? providerName : undefined;
}

function find(id: string, { providers = {} }: OpenOptions) {
  const colon = id.indexOf(":");
  const name = modelName(id);
  if (colon < 1 || name.trim() === "") {
    throw new Fault(
      "no_model",
      `Cannot use the model ${shown(id)}: it is not of the form provider:id. ${EXAMPLE}`,
    );
  }
  const given = id.slice(0, colon);
  const providerName = Object.hasOwn(ALIASES, given) ? ALIASES[given] ?? given : given;
  const own = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  const known = Object.hasOwn(PROVIDERS, providerName) ? PROVIDERS[providerName] : undefined;
  const provider = own ? withUserProvider(known, { name: providerName, own }) : known;
  if (provider) return { name, provider, providerName, own };
  const all = [...new Set([...Object.keys(PROVIDERS), ...Object.keys(providers)])].join(", ");
  throw new Fault(
    "no_model",
    `Cannot use the model ${shown(id)}: its provider is unknown. Known are ${all}.`,
  );
}

function silenceOf(own: UserProvider | undefined, { once }: OpenOptions): number {
  if (own?.silenceSeconds !== undefined) return 1000 * own.silenceSeconds;
  return once ? SILENCE_ONCE_MS : SILENCE_MS;
}

/** What a model of this name costs and holds elsewhere is not known. */
function factsFor(
  { maxOutputTokens, ...facts }: ReturnType<typeof modelFacts>,
  { isElsewhere }: { readonly isElsewhere: boolean },
) {
  return { ...(isElsewhere ? {} : facts), ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) };
}

/** Its adapter is loaded at the first question. */
function lazyModel(
  { id, contextTokens, price }: Pick<ModelOptions, "id" | "contextTokens" | "price">,
  load: () => Promise<Model>,
): Model {
  const loaded = openedOnce(load);
  return {
    id,
    name: modelName(id),
    ...contextTokens === undefined ? {} : { contextTokens },
    ...price === undefined ? {} : { price },
    async *stream(request) {
      yield* (await loaded()).stream(request);
    },
  };
}
