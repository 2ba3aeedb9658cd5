/**
 * Writes the chosen model and thinking level into `model_config.json`, in the form of the Python program. Only those
 * places change: what else stands in the file is kept to the byte.
 */
import { Fault } from "../base/fault.ts";
import type { ThinkingLevel } from "../llm/provider.ts";
import { readModelSettings } from "./model.ts";
import { writePrivateFile } from "./private_file.ts";

const EMPTY = '{\n  "version": 2\n}\n';

/** `id` is `provider:id`; undefined forgets the choice. Throws Faults: no_model for a broken file, unavailable. */
export async function saveModel(folder: string, id: string | undefined): Promise<void> {
  await change(folder, [[["model"], id]]);
}

/** Throws Faults: no_model for a broken file, unavailable. */
export async function saveThinking(folder: string, level: ThinkingLevel): Promise<void> {
  const isOn = level !== "off";
  const chosen: Edit[] = isOn ? [[["thinking", "level"], level]] : [];
  await change(folder, [[["thinking", "enabled"], isOn], ...chosen]);
}

type Edit = readonly [path: string[], value: unknown];

async function change(folder: string, edits: readonly Edit[]): Promise<void> {
  await readModelSettings(folder);
  const path = `${folder}/model_config.json`;
  const before = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return EMPTY;
    throw new Fault("unavailable", `Cannot save the model: ${path} cannot be opened. Check its permissions.`);
  });
  const { applyEdits, modify } = await import("jsonc-parser");
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  const text = edits.reduce(
    (text, [place, value]) => applyEdits(text, modify(text, place, value, { formattingOptions })),
    before,
  );
  await writePrivateFile(path, { text, what: "the model" });
}
