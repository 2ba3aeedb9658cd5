/**
 * `saber theme reset`: back to the default colours.
 */
import type { App, Io, Mode } from "../../app.ts";
import { saveThemeName } from "../../settings/theme.ts";
import { DEFAULT_THEME } from "../../term/themes.ts";
import { printLines } from "../print.ts";

export const reset: Mode = {
  usage: { line: "theme reset", summary: "Use the default theme.", flags: [] },
  run,
};

async function run({ config }: App, io: Io): Promise<number> {
  await saveThemeName(config.folders.config, DEFAULT_THEME);
  await printLines(io, [`The theme is now ${DEFAULT_THEME}.`]);
  return 0;
}
