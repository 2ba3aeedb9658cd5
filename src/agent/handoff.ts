/**
 * The prompt with which a new conversation can go on where another one stands: drafted by the model, without tools.
 */
import type { Model } from "../llm/provider.ts";
import { askOnce } from "./ask_once.ts";
import type { TranscriptMessage } from "./events.ts";

/** What the model is told of each tool's answer, in UTF-16 units. */
const MAX_TOOL_TEXT = 1000;

const SYSTEM =
  `You write the first message of a new conversation with a database assistant that knows nothing of the one you are shown. \
State the goal, the findings that matter for it, the tables and columns that were used, and the SQL that works. \
Leave out what the goal does not need. Answer with that message alone.`;

export interface HandoffOptions {
  readonly model: Model;
  readonly messages: readonly TranscriptMessage[];
  readonly goal: string;
  readonly signal: AbortSignal;
}

/** Throws Fault: model_error and its kin, cancelled. */
export async function draftHandoff({ model, messages, goal, signal }: HandoffOptions): Promise<string> {
  const text = `The goal of the new conversation: ${goal}\n\nThe conversation so far:\n\n${
    messages.map(say).join("\n\n")
  }`;
  return await askOnce(model, { system: SYSTEM, text, signal });
}

function say(message: TranscriptMessage): string {
  switch (message.role) {
    case "user":
      return `User: ${message.content}`;
    case "toolResult":
      return `Result of ${message.toolName}: ${message.content.slice(0, MAX_TOOL_TEXT).toWellFormed()}`;
    case "assistant":
      return message.content.map((block) => {
        if (block.type === "text") return `Assistant: ${block.text}`;
        return block.type === "toolCall" ? `Assistant calls ${block.name}: ${block.argumentsText}` : "";
      }).filter((line) => line !== "").join("\n");
  }
}
