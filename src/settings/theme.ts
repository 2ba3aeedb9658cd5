/**
 * The saved colour theme (theme.json), in the format shared with the Python program. What the themes are is term/themes.ts's.
 */
import { applyEdits, modify } from "jsonc-parser";
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { writePrivateFile } from "./private_file.ts";

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
  const path = `${folder}/${FILE}`;
  const before = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return "{}";
    throw new Fault("unavailable", `Cannot save the theme: ${path} cannot be opened. Check its permissions.`);
  });
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  const text = applyEdits(before, modify(before, ["theme", "name"], name, { formattingOptions }));
  await writePrivateFile(path, { text, what: "the theme" });
}
