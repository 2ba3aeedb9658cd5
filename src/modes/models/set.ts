/**
 * `saber models set`: saves which model is asked when none is named.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { keptKeys } from "../../settings/keys.ts";
import { saveModel } from "../../settings/save_model.ts";
import { namedProvider } from "../named_provider.ts";
import { printLines } from "../print.ts";

export const set: Mode = {
  usage: {
    line: "models set PROVIDER:ID",
    summary: "Ask this model when none is named.",
    flags: [],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const [id = ""] = app.given.words;
  const [, providerName, name] = /^([^:]+):(.*\S.*)$/.exec(id) ?? [];
  if (name === undefined) {
    throw new Fault("usage", "A model is named provider:id. Run 'saber models list' for some.");
  }
  const { folders } = app.config;
  const provider = await namedProvider(app, providerName);
  await saveModel(folders.config, id);
  await printLines(io, [`The model is now ${id}.`]);
  if (!provider.needsKey || provider.keyVariable !== undefined) return 0;
  const keys = keptKeys(app.config);
  if (await keys.find(provider.name)) return 0;
  io.warn(
    `It has no API key yet. Set ${provider.keyVariables[0]}, or run 'saber auth setup ${provider.name}'.`,
  );
  return 0;
}
