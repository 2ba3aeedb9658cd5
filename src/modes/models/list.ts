/**
 * `saber models list`: models known by name, or those that a provider's server has.
 */
import type { App, Io, Mode, ProviderInfo } from "../../app.ts";
import { namedProvider } from "../named_provider.ts";
import { printJson, printTable } from "../print.ts";

export const list: Mode = {
  usage: {
    line: "models list [PROVIDER] [flags]",
    summary: "List the models known by name, or all that a provider's server has.",
    flags: ["json"],
    words: 1,
  },
  run,
};

type Model = ProviderInfo["models"][number];

async function run(app: App, io: Io): Promise<number> {
  const [name] = app.given.words;
  const models = name === undefined
    ? (await app.providers()).flatMap((provider) => provider.models)
    : await modelsOf(app, { provider: await namedProvider(app, name), io });
  if (app.given.flags.json) {
    await printJson(
      io,
      models.map(({ id, contextTokens, price }) => ({ id, contextTokens, price: price && { ...price } })),
    );
    return 0;
  }
  const rows = models.map(({ id, contextTokens, price }) => ({
    model: id,
    context: contextTokens ?? "",
    input: price?.input ?? "",
    output: price?.output ?? "",
  }));
  await printTable(app, { io, columns: ["model", "context", "input", "output"], rows });
  io.warn("Context in tokens; input and output in US dollars a million tokens. What is empty is not known.");
  return 0;
}

/** In the server's words, with what is known of each. */
async function modelsOf(
  app: App,
  { provider, io }: { readonly provider: ProviderInfo; readonly io: Io },
): Promise<Model[]> {
  const ids = await app.listModels(provider, io.stop);
  return ids.map((id) => {
    const named = `${provider.name}:${id}`;
    return provider.models.find((each) => each.id === named) ?? { id: named };
  });
}
