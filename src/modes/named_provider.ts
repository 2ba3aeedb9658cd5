/**
 * The provider that a command names.
 */
import type { App, ProviderInfo } from "../app.ts";
import { Fault } from "../base/fault.ts";

/** Throws Fault `usage` for one that nobody knows. */
export async function namedProvider(app: App, name: string | undefined): Promise<ProviderInfo> {
  const providers = await app.providers();
  const found = providers.find((each) => each.name === name || each.aliases.includes(name ?? ""));
  if (found) return found;
  const known = providers.map((each) => each.name).join(", ");
  const state = name === undefined ? "Which provider?" : `Cannot find the provider ${JSON.stringify(name)}.`;
  throw new Fault("usage", `${state} Known are ${known}.`);
}
