/**
 * A model that already runs on this machine, for a person who has not chosen one.
 */
import type { ProviderInfo } from "./catalog.ts";
import { listRemoteModels } from "./remote_models.ts";

const SERVERS = ["ollama", "lmstudio"];
/** A server on this machine answers at once or not at all. */
const TIMEOUT_MS = 500;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** Such models turn text into numbers and answer nothing. */
const EMBEDDING = /embed|bge-|minilm/i;

/** `provider:id` of the first model of the first server that has one; nothing is asked beyond the loopback interface. */
export async function findLocalModel(providers: readonly ProviderInfo[]): Promise<string | undefined> {
  const found = await Promise.all(SERVERS.map(async (name) => {
    const provider = providers.find((each) => each.name === name);
    if (provider?.baseUrl === undefined || !LOOPBACK.test(new URL(provider.baseUrl).hostname)) {
      return undefined;
    }
    const { adapter, baseUrl } = provider;
    const asked = { adapter, baseUrl, apiKey: undefined, timeoutMs: TIMEOUT_MS };
    const ids = await listRemoteModels({ ...asked, signal: new AbortController().signal }).catch(() => []);
    const id = ids.find((each) => !EMBEDDING.test(each));
    return id === undefined ? undefined : `${name}:${id}`;
  }));
  return found.find((id) => id !== undefined);
}
