/**
 * `saber auth setup`: keeps an API key, in the keyring or in a file that only its owner may read. It tries no key out.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { readAll } from "../../base/read_all.ts";
import { keptKeys } from "../../settings/keys.ts";
import { askingAt } from "../asking_at.ts";
import { printLines } from "../print.ts";
import { namedProvider } from "../named_provider.ts";

export const setup: Mode = {
  usage: {
    line: "auth setup PROVIDER [flags]",
    summary: "Keep the API key of a provider. The key is asked for, or read from stdin.",
    flags: ["no-interactive"],
    words: 1,
  },
  run,
};

const MAX_KEY_BYTES = 16 << 10;

async function run(app: App, io: Io): Promise<number> {
  const { name, keyVariable, keyVariables } = await namedProvider(app, app.given.words[0]);
  if (keyVariables.length === 0) throw new Fault("usage", `${name} takes no API key.`);
  const key = (await readKey(app, { io, name })).trim();
  if (key === "" || /\s/.test(key)) {
    throw new Fault("usage", "Cannot keep the key: it has to be one word, and not empty.");
  }
  const keys = keptKeys(app.config);
  const place = await keys.save(name, key);
  const where = place === "keyring" ? "in the keyring" : "in a file that only you may read";
  await printLines(io, [`Kept the key of ${name} ${where}.`]);
  if (keyVariable !== undefined) io.warn(`${keyVariable} is set, and comes before it.`);
  return 0;
}

async function readKey(app: App, { io, name }: { readonly io: Io; readonly name: string }): Promise<string> {
  if (io.terminal.isInput && !app.given.flags["no-interactive"]) {
    using asking = askingAt(io);
    return await asking.askSecret(`API key of ${name}:`) ?? "";
  }
  return await readAll(io.input, { what: "the key", maxBytes: MAX_KEY_BYTES, signal: io.stop });
}
