/**
 * The saved colour theme (theme.json), in the format shared with the Python program. What the themes are is term/themes.ts's.
 */
import * as z from "zod/mini";
import { changeJsonFile } from "./json_file.ts";

const ThemeFile = z.object({
  theme: z.optional(z.object({ name: z.optional(z.string()) })),
});

const FILE = "theme.json";

/** The saved theme's name; undefined where none is saved, or the file is broken: colours are no reason to fail. */
export async function readThemeName(folder: string): Promise<string | undefined> {
  try {
    return ThemeFile.parse(JSON.parse(await Deno.readTextFile(`${folder}/${FILE}`))).theme?.name;
  } catch {
    return undefined;
  }
}

/** Saves the name; the rest of the file stays as it is. Throws Fault `unavailable`. */
export async function saveThemeName(folder: string, name: string): Promise<void> {
  const edits = [{ path: ["theme", "name"], value: name }];
  await changeJsonFile(`${folder}/${FILE}`, { edits, empty: "{}", what: "the theme" });
}
