/**
 * `saber models current`: which model would be asked, and what is known of it. It asks it nothing.
 */
import type { App, Io, Mode } from "../../app.ts";
import { printJson, printLines } from "../print.ts";

export const current: Mode = {
  usage: {
    line: "models current [flags]",
    summary: "Show which model would be asked.",
    flags: ["model", "key-file", "thinking", "no-thinking", "json"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { id, contextTokens, price } = await app.openModel();
  const facts = {
    model: id,
    thinking: await app.thinkingLevel(),
    contextTokens: contextTokens ?? null,
    price: price ? { ...price } : null,
  };
  if (app.given.flags.json) {
    await printJson(io, facts);
    return 0;
  }
  await printLines(io, [
    id,
    `thinking: ${facts.thinking}`,
    `context: ${contextTokens === undefined ? "not known" : `${contextTokens} tokens`}`,
    `price: ${
      price === undefined
        ? "not known"
        : `${price.input} (input) and ${price.output} (output) US dollars a million tokens`
    }`,
  ]);
  return 0;
}
