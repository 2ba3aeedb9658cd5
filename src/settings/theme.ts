/**
 * The saved colour theme (theme.json), in the format shared with the Python program. What the themes are is term/themes.ts's.
 */
import * as z from "zod/mini";

const ThemeFile = z.object({
  theme: z.optional(z.object({ name: z.optional(z.string()) })),
});

/** The saved theme's name; undefined where none is saved, or the file is broken: colours are no reason to fail. */
export async function readThemeName(folder: string): Promise<string | undefined> {
  try {
    const file = ThemeFile.parse(JSON.parse(await Deno.readTextFile(`${folder}/theme.json`)));
    return file.theme?.name;
  } catch {
    return undefined;
  }
}
