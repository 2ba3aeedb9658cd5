/**
 * The saved model settings (model_config.json), in the format shared with the Python program. Reads only.
 */
import * as z from "zod/mini";
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

/** Version 2 of the file; version 1 had `thinking_enabled` beside `model`. */
const File = z.object({
  model: z.optional(z.string()),
  thinking: z.optional(z.object({ enabled: z.optional(z.boolean()), level: z.optional(z.string()) })),
  thinking_enabled: z.optional(z.boolean()),
});

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
  const { model, thinking, thinking_enabled } = parse(text, path);
  const saved = THINKING_LEVELS.find((level) => level === thinking?.level) ?? DEFAULT_LEVEL;
  const enabled = (thinking?.enabled ?? thinking_enabled ?? false) && saved !== "off";
  return {
    thinking: { enabled, level: saved === "off" ? DEFAULT_LEVEL : saved },
    ...(model === undefined ? {} : { model }),
  };
}

function parse(text: string, path: string): z.infer<typeof File> {
  try {
    return File.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault(
      "no_model",
      `Cannot read the model settings in ${path}: it is not the JSON that was saved there.`,
      {
        cause,
      },
    );
  }
}
