/**
 * The colours in which a command speaks: those of the chosen theme at a terminal that has them, none elsewhere.
 */
import type { App } from "../app.ts";
import { readThemeName } from "../settings/theme.ts";
import { type Paint, painter, PLAIN } from "../term/paint.ts";
import { DEFAULT_THEME, THEMES } from "../term/themes.ts";

export async function paintOf({ config }: App, { isTerminal }: { isTerminal: boolean }): Promise<Paint> {
  if (!isTerminal || !config.color) return PLAIN;
  const name = config.theme ?? await readThemeName(config.folders.config) ?? DEFAULT_THEME;
  const theme = Object.hasOwn(THEMES, name) ? THEMES[name] : THEMES[DEFAULT_THEME];
  return theme ? painter(theme) : PLAIN;
}
