/**
 * One question to a model beside the conversation: no tools, no history, only the text of its answer.
 */
import { Fault } from "../base/fault.ts";
import type { Model } from "../llm/provider.ts";
import { answerText } from "./answer_text.ts";

export interface Question {
  readonly system: string;
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Throws what the model throws, and Fault `model_error` for an empty answer. */
export async function askOnce(model: Model, { system, text, signal }: Question): Promise<string> {
  const messages = [{ role: "user", content: text, timestamp: Date.now() }] as const;
  for await (const event of model.stream({ system, messages, tools: [], thinking: "off", signal })) {
    if (event.type !== "done") continue;
    const answer = answerText(event.message).trim();
    if (answer !== "") return answer;
  }
  throw new Fault("model_error", "Cannot use the model's answer: it is empty. Ask again.");
}
