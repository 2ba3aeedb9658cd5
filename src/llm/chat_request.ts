/**
 * A conversation in the words of a Chat Completions request.
 */
import type OpenAI from "openai";
import type { AssistantMessage, Message, ModelOptions, ModelRequest, ToolSpec } from "./provider.ts";

type ChatMessage = OpenAI.ChatCompletionMessageParam;

export function chatRequest(
  { system, messages, tools, thinking }: ModelRequest,
  { name, efforts }: { readonly name: string } & Pick<ModelOptions, "efforts">,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const effort = efforts[thinking];
  return {
    model: name,
    messages: [{ role: "system", content: system.toWellFormed() }, ...messages.flatMap(toChatMessage)],
    // An empty list is refused by several servers.
    ...(tools.length === 0 ? {} : { tools: tools.map(toChatTool) }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toChatTool({ name, description, parameters }: ToolSpec): OpenAI.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}

function toChatMessage(message: Message): ChatMessage | [] {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.content.toWellFormed() };
    case "assistant":
      return toChatAnswer(message);
    case "toolResult":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content.toWellFormed() };
  }
}

/** Thinking is left out: servers of this API refuse or ignore it. */
function toChatAnswer({ content }: AssistantMessage): ChatMessage | [] {
  const text = content.map((block) => block.type === "text" ? block.text : "").join("");
  const calls = content.flatMap((block) =>
    block.type !== "toolCall" ? [] : {
      type: "function" as const,
      id: block.id,
      function: { name: block.name, arguments: objectText(block.argumentsText) },
    }
  );
  // An answer of nothing, to which the user went on talking, is refused by several servers.
  if (text === "" && calls.length === 0) return [];
  return {
    role: "assistant",
    content: text === "" ? null : text.toWellFormed(),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Servers parse the arguments of past calls and fail on broken ones; the tool's result says that they were broken. */
function objectText(argumentsText: string): string {
  try {
    const parsed: unknown = JSON.parse(argumentsText);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? argumentsText : "{}";
  } catch {
    return "{}";
  }
}
