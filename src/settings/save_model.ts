/**
 * Writes the chosen model and thinking level into `model_config.json`, in the form of the Python program. Only those
 * places change: what else stands in the file is kept to the byte.
 */
import type { ThinkingLevel } from "../llm/provider.ts";
import { changeJsonFile, type Edit } from "./json_file.ts";
import { readModelSettings } from "./model.ts";

const EMPTY = '{\n  "version": 2\n}\n';

/** `id` is `provider:id`; undefined forgets the choice. Throws Faults: no_model for a broken file, unavailable. */
export async function saveModel(folder: string, id: string | undefined): Promise<void> {
  await change(folder, [{ path: ["model"], value: id }]);
}

/** Throws Faults: no_model for a broken file, unavailable. */
export async function saveThinking(folder: string, level: ThinkingLevel): Promise<void> {
  const isOn = level !== "off";
  const chosen: Edit[] = isOn ? [{ path: ["thinking", "level"], value: level }] : [];
  await change(folder, [{ path: ["thinking", "enabled"], value: isOn }, ...chosen]);
}

async function change(folder: string, edits: readonly Edit[]): Promise<void> {
  await readModelSettings(folder);
  await changeJsonFile(`${folder}/model_config.json`, { edits, empty: EMPTY, what: "the model" });
}
