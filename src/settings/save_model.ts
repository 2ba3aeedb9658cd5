/**
 * Writes the chosen model into `model_config.json`, in the form of the Python program. Only that place changes: what else
 * stands in the file is kept to the byte.
 */
import { applyEdits, modify } from "jsonc-parser";
import { Fault } from "../base/fault.ts";
import { readModelSettings } from "./model.ts";
import { writePrivateFile } from "./private_file.ts";

const EMPTY = '{\n  "version": 2\n}\n';

/** `id` is `provider:id`; undefined forgets the choice. Throws Faults: no_model for a broken file, unavailable. */
export async function saveModel(folder: string, id: string | undefined): Promise<void> {
  await readModelSettings(folder);
  const path = `${folder}/model_config.json`;
  const before = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return EMPTY;
    throw new Fault("unavailable", `Cannot save the model: ${path} cannot be opened. Check its permissions.`);
  });
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  const text = applyEdits(before, modify(before, ["model"], id, { formattingOptions }));
  await writePrivateFile(path, { text, what: "the model" });
}
