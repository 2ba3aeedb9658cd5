/**
 * What the environment says of a provider: its key, and where its API begins.
 */
import { Fault } from "../base/fault.ts";
import type { Provider } from "./providers.ts";

/** Environment variables by name; what is absent or empty is not set. */
export type Environment = { readonly [name: string]: string | undefined };

export function needsKey({ keyVariables, isKeyOptional }: Provider): boolean {
  return keyVariables.length > 0 && !isKeyOptional;
}

/** The key, and the variable that holds it. */
export function keyIn(
  { keyVariables }: Provider,
  environment: Environment,
): { readonly key: string; readonly variable: string } | undefined {
  for (const variable of keyVariables) {
    const key = environment[variable]?.trim();
    if (key) return { key, variable };
  }
  return undefined;
}

/**
 * Where the API begins, undefined where nobody has said; and whether a variable chose the place. Throws Fault `no_model` for
 * what is no address.
 */
export function placeOf(
  provider: Provider,
  environment: Environment,
): { readonly baseUrl: string | undefined; readonly isElsewhere: boolean } {
  const variable = provider.baseUrlVariable;
  const value = environment[variable]?.trim();
  if (!value) return { baseUrl: provider.baseUrl, isElsewhere: false };
  const address = (provider.complete?.(value) ?? value).replace(/\/+$/, "");
  const url = URL.parse(address);
  if (url?.protocol === "http:" || url?.protocol === "https:") return { baseUrl: address, isElsewhere: true };
  throw new Fault(
    "no_model",
    `Cannot use ${variable}: it is not an http or https address. Set or remove it.`,
  );
}
