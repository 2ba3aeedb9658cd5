/**
 * The saved model settings (model_config.json), in the format shared with the Python program. Reads only.
 */
import { Fault } from "../base/fault.ts";
import type { ThinkingLevel } from "../llm/provider.ts";

/** Every thinking level, weakest first. */
export const THINKING_LEVELS = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "maximum",
] as const satisfies ThinkingLevel[];

export interface ModelSettings {
  /** `provider:id`. */
  readonly model?: string;
  readonly thinking: { readonly enabled: boolean; readonly level: ThinkingLevel };
}

const DEFAULT_LEVEL = "medium";
const NOTHING_SAVED: ModelSettings = { thinking: { enabled: false, level: DEFAULT_LEVEL } };

/** What is saved in the config folder; defaults when there is no file. Throws Fault `no_model` for a broken one. */
export async function readModelSettings(folder: string): Promise<ModelSettings> {
  const path = `${folder}/model_config.json`;
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return NOTHING_SAVED;
    throw new Fault("no_model", `Cannot read the model settings in ${path}: the file cannot be opened.`, {
      cause: error,
    });
  }
  const { model, thinking, thinking_enabled } = await parse(text, path);
  const saved = THINKING_LEVELS.find((level) => level === thinking?.level) ?? DEFAULT_LEVEL;
  const enabled = (thinking?.enabled ?? thinking_enabled ?? false) && saved !== "off";
  return {
    thinking: { enabled, level: saved === "off" ? DEFAULT_LEVEL : saved },
    ...(model === undefined ? {} : { model }),
  };
}

async function parse(text: string, path: string) {
  const { parseModelFile } = await import("./model_file.ts");
  try {
    return parseModelFile(text);
  } catch (cause) {
    const state = "it is not the JSON that was saved there";
    throw new Fault("no_model", `Cannot read the model settings in ${path}: ${state}.`, { cause });
  }
}
