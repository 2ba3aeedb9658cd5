/**
 * The providers as a person sees them: what they are called, whether a key is there, and which models are known by name.
 */
import { knownModels, modelFacts } from "./model_facts.ts";
import type { Price } from "./provider.ts";
import { type AdapterName, ALIASES, PROVIDERS } from "./providers.ts";
import { type Environment, keyIn, needsKey, placeOf } from "./provider_place.ts";
import { type UserProvider, withUserProvider } from "./user_provider.ts";

export interface ModelInfo {
  /** `provider:id`. */
  readonly id: string;
  readonly contextTokens?: number;
  readonly price?: Price;
}

export interface ProviderInfo {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The API it speaks. */
  readonly adapter: AdapterName;
  /** Where the API begins; undefined where it needs an address that nobody has given. */
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  /** The variables that may hold the key, and the one that does. */
  readonly keyVariables: readonly string[];
  readonly keyVariable: string | undefined;
  /** Those known by name: from saber's table and the user's settings. */
  readonly models: readonly ModelInfo[];
}

export function listProviders(
  environment: Environment,
  own: { readonly [name: string]: UserProvider },
): ProviderInfo[] {
  const names = [...new Set([...Object.keys(PROVIDERS), ...Object.keys(own)])];
  return names.flatMap((name) => describe(name, { environment, own: own[name] }) ?? []);
}

function describe(
  name: string,
  { environment, own }: { readonly environment: Environment; readonly own: UserProvider | undefined },
): ProviderInfo | undefined {
  const known = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  const provider = own ? withUserProvider(known, { name, own }) : known;
  if (!provider) return undefined;
  const ownModels = own?.models ?? {};
  const ids = [...new Set([...knownModels(name), ...Object.keys(ownModels)])];
  return {
    name,
    aliases: Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name),
    adapter: provider.adapter,
    baseUrl: placeOf(provider, environment).baseUrl,
    needsKey: needsKey(provider),
    keyVariables: provider.keyVariables,
    keyVariable: keyIn(provider, environment)?.variable,
    models: ids.map((id) => ({ id: `${name}:${id}`, ...modelFacts(name, id), ...ownModels[id] })),
  };
}
