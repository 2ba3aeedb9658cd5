/**
 * `saber auth status`: where the API key of each provider comes from. It never shows a key.
 */
import type { App, Io, Mode } from "../../app.ts";
import { keptKeys } from "../../settings/keys.ts";
import { printJson, printTable } from "../print.ts";

export const status: Mode = {
  usage: {
    line: "auth status [flags]",
    summary: "Show where the API key of each provider comes from.",
    flags: ["json"],
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const keys = keptKeys(app.config);
  const providers = await app.providers();
  const rows = await Promise.all(providers.map(async ({ name, keyVariable, keyVariables, needsKey }) => {
    if (keyVariables.length === 0) return { provider: name, key: "not needed" };
    const place = keyVariable ?? (await keys.find(name))?.place;
    return { provider: name, key: place ?? (needsKey ? "none" : "not needed") };
  }));
  if (app.given.flags.json) await printJson(io, rows);
  else await printTable(app, { io, columns: ["provider", "key"], rows });
  return 0;
}
