/**
 * `saber theme set`: saves which colours are used.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { saveThemeName } from "../../settings/theme.ts";
import { THEMES } from "../../term/themes.ts";
import { printLines } from "../print.ts";

export const set: Mode = {
  usage: { line: "theme set NAME", summary: "Use this theme.", flags: [], words: 1 },
  run,
};

async function run({ config, given }: App, io: Io): Promise<number> {
  const [name = ""] = given.words;
  if (!Object.hasOwn(THEMES, name)) {
    throw new Fault("usage", `There is no theme '${name}'. There are ${Object.keys(THEMES).join(", ")}.`);
  }
  await saveThemeName(config.folders.config, name);
  await printLines(io, [`The theme is now ${name}.`]);
  return 0;
}
