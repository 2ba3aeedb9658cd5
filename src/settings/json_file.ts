/**
 * JSON files that are changed one place at a time, so that what a person or another program wrote around it stays to the
 * byte, comments too.
 */
import { Fault } from "../base/fault.ts";
import { writePrivateFile } from "./private_file.ts";

/** A place, and what is to stand there; undefined for nothing. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** `empty`: the text where there is no file yet. `what` names in errors what is saved. Throws Fault `unavailable`. */
export async function changeJsonFile(
  path: string,
  { edits, empty, what }: { readonly edits: readonly Edit[]; readonly empty: string; readonly what: string },
): Promise<void> {
  const before = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return empty;
    throw new Fault("unavailable", `Cannot save ${what}: ${path} cannot be opened. Check its permissions.`);
  });
  await writePrivateFile(path, { text: await editJson(before, { edits }), what });
}

/** The text with these places changed; new ones are indented by so many spaces. */
export async function editJson(
  text: string,
  { edits, tabSize = 2 }: { readonly edits: readonly Edit[]; readonly tabSize?: number },
): Promise<string> {
  const { applyEdits, modify } = await import("jsonc-parser");
  const formattingOptions = { insertSpaces: true, tabSize, eol: "\n" };
  return edits.reduce(
    (edited, { path, value }) => applyEdits(edited, modify(edited, [...path], value, { formattingOptions })),
    text,
  );
}
