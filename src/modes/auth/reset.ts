/**
 * `saber auth reset`: forgets a kept API key.
 */
import type { App, Io, Mode } from "../../app.ts";
import { keptKeys } from "../../settings/keys.ts";
import { printLines } from "../print.ts";
import { namedProvider } from "../named_provider.ts";

export const reset: Mode = {
  usage: {
    line: "auth reset PROVIDER",
    summary: "Forget the kept API key of a provider.",
    flags: [],
    words: 1,
  },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const { name, keyVariable } = await namedProvider(app, app.given.words[0]);
  const keys = keptKeys(app.config);
  const wasThere = await keys.forget(name);
  await printLines(io, [wasThere ? `Forgot the key of ${name}.` : `No key of ${name} is kept.`]);
  if (keyVariable !== undefined) io.warn(`${keyVariable} is still set.`);
  return 0;
}
