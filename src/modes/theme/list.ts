/**
 * `saber theme list`: the themes, each in its own colours.
 */
import type { App, Io, Mode } from "../../app.ts";
import { readThemeName } from "../../settings/theme.ts";
import { painter, PLAIN } from "../../term/paint.ts";
import { DEFAULT_THEME, THEMES } from "../../term/themes.ts";
import { printLines } from "../print.ts";

export const list: Mode = {
  usage: { line: "theme list", summary: "Show the themes, each in its own colours.", flags: [] },
  run,
};

async function run({ config }: App, io: Io): Promise<number> {
  const chosen = config.theme ?? await readThemeName(config.folders.config) ?? DEFAULT_THEME;
  const lines = Object.entries(THEMES).map(([name, theme]) => {
    const paint = io.terminal.isOutput && config.color ? painter(theme) : PLAIN;
    const sample = `${paint("keyword", "SELECT")} ${paint("number", "42")}, ${paint("text", "'text'")} ${
      paint("muted", "-- 1 row")
    }`;
    return `${name === chosen ? "*" : " "} ${paint("title", name.padEnd(8))} ${sample}`;
  });
  await printLines(io, lines, { isPainted: true });
  return 0;
}
