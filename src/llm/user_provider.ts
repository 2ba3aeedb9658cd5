/**
 * A provider in the user's own settings: one that saber does not know, or what is different about one that it knows.
 * How it is written in a file is settings/' work.
 */
import { Fault } from "../base/fault.ts";
import type { ModelOptions } from "./provider.ts";
import { type AdapterName, type Provider, UNKNOWN_THINKING } from "./providers.ts";

/** What the user says of one model. */
export interface UserModel
  extends Partial<Pick<ModelOptions, "thinking" | "contextTokens" | "maxOutputTokens" | "price">> {}

export interface UserProvider {
  /** The API that the server speaks; Chat Completions when left out. */
  readonly adapter?: AdapterName;
  readonly baseUrl?: string;
  /** The variable of the environment with the API key. */
  readonly keyVariable?: string;
  readonly headers?: { readonly [name: string]: string };
  /** How long the server may send nothing at all. */
  readonly silenceSeconds?: number;
  /** By their ids. */
  readonly models?: { readonly [id: string]: UserModel };
}

/** Throws Fault `no_model` for a new provider without an address. */
export function withUserProvider(
  known: Provider | undefined,
  { name, own }: { readonly name: string; readonly own: UserProvider },
): Provider {
  const { adapter, baseUrl, keyVariable } = own;
  if (known === undefined && baseUrl === undefined) {
    throw new Fault(
      "no_model",
      `Cannot use the provider "${name}" of config.jsonc: it has no baseUrl. Add one.`,
    );
  }
  const base: Provider = known ?? {
    adapter: "chat",
    keyVariables: [],
    baseUrlVariable: `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_BASE_URL`,
    baseUrl: undefined,
    thinking: UNKNOWN_THINKING,
  };
  // A known provider at another address speaks what it speaks there.
  const there = baseUrl === undefined ? undefined : base.adapterElsewhere;
  return {
    ...base,
    ...(there ? { adapter: there } : {}),
    ...(adapter ? { adapter, adapterElsewhere: adapter } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, "") }),
    ...(keyVariable === undefined ? {} : { keyVariables: [keyVariable] }),
  };
}
