/**
 * The form of model_config.json. Apart from model.ts so that a start without the file loads no schemas.
 */
import * as z from "zod/mini";

/** Version 2 of the file; version 1 had `thinking_enabled` beside `model`. */
const ModelFile = z.object({
  model: z.optional(z.string()),
  thinking: z.optional(z.object({ enabled: z.optional(z.boolean()), level: z.optional(z.string()) })),
  thinking_enabled: z.optional(z.boolean()),
});

/** Throws for what is not JSON of this form. */
export function parseModelFile(text: string): z.infer<typeof ModelFile> {
  return ModelFile.parse(JSON.parse(text));
}
