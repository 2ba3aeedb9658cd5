/**
 * `saber models add`: adds a model of the user's own server to config.jsonc, whose comments stay.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { type Change, changeProviders } from "../../settings/providers_file.ts";
import { printLines } from "../print.ts";

export const add: Mode = {
  usage: {
    line: "models add PROVIDER:ID [flags]",
    summary: "Add a model of a server of your own, or what is different about a known one.",
    flags: ["base-url", "adapter", "key-variable", "context"],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { words: [id = ""], flags } = app.given;
  const [, provider, name] = /^([^:]+):(.*\S.*)$/.exec(id) ?? [];
  if (provider === undefined || name === undefined) {
    throw new Fault(
      "usage",
      "A model is named provider:id. Run 'saber models add my-server:my-model --base-url URL'.",
    );
  }
  const known = (await app.providers()).find((each) => each.name === provider);
  const baseUrl = flags["base-url"];
  if (known === undefined && baseUrl === undefined) {
    throw new Fault("usage", `${provider} is a new provider. Say where its API begins: --base-url URL`);
  }
  const given: Change[] = [
    { path: [provider, "adapter"], value: flags.adapter },
    { path: [provider, "baseUrl"], value: baseUrl },
    { path: [provider, "keyVariable"], value: flags["key-variable"] },
    {
      path: [provider, "models", name, "contextTokens"],
      value: flags.context === undefined ? undefined : Number(flags.context),
    },
  ];
  const changes = given.filter(({ value }) => value !== undefined);
  const isNamed = flags.context !== undefined || known?.models.some((each) => each.id === id);
  if (!isNamed) changes.push({ path: [provider, "models", name], value: {} });
  await changeProviders(app.config.folders.config, changes);
  await printLines(io, [`Added ${id}. Use it with --model ${id}, or 'saber models set ${id}'.`]);
  return 0;
}
