/**
 * What a model says, without its thoughts and calls.
 */
import type { AssistantMessage } from "../llm/provider.ts";

export function answerText({ content }: Pick<AssistantMessage, "content">): string {
  return content.map((block) => block.type === "text" ? block.text : "").join("");
}
