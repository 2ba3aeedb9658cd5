/**
 * What the Messages API wants back with a model's thinking, as the signature of a thinking block.
 */
import type Anthropic from "@anthropic-ai/sdk";
import * as z from "zod/mini";
import type { ThinkingBlock } from "../provider.ts";

/** A thought's signature, or the whole of a thought that may not be read. */
const Signature = z.union([z.object({ signature: z.string() }), z.object({ redacted: z.string() })]);

export function writeSignature(signature: z.infer<typeof Signature>): string {
  return JSON.stringify(signature);
}

/** Undefined for what another adapter wrote. */
export function readThought(
  { thinking, signature = "" }: ThinkingBlock,
): Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam | undefined {
  const found = parse(signature);
  if (!found) return undefined;
  return "redacted" in found
    ? { type: "redacted_thinking", data: found.redacted }
    : { type: "thinking", thinking, signature: found.signature };
}

function parse(signature: string): z.infer<typeof Signature> | undefined {
  try {
    return Signature.safeParse(JSON.parse(signature)).data;
  } catch {
    return undefined;
  }
}
