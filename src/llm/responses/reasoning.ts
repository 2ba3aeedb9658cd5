/**
 * What the Responses API wants back with a model's reasoning, as the signature of a thinking block.
 */
import * as z from "zod/mini";

const Reasoning = z.object({ id: z.string(), encrypted_content: z.string() });

export type Reasoning = z.infer<typeof Reasoning>;

export function writeReasoning({ id, encrypted_content }: Reasoning): string {
  return JSON.stringify({ id, encrypted_content });
}

/** Undefined for what another adapter wrote. */
export function readReasoning(signature: string | undefined): Reasoning | undefined {
  try {
    return Reasoning.safeParse(JSON.parse(signature ?? "")).data;
  } catch {
    return undefined;
  }
}
