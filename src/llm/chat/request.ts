/**
 * A conversation in the words of a Chat Completions request.
 */
import type OpenAI from "openai";
import { readCarried } from "./carried.ts";
import { objectText } from "../call_arguments.ts";
import type {
  AssistantMessage,
  Fields,
  Message,
  ModelOptions,
  ModelRequest,
  ToolCall,
  ToolSpec,
  UserMessage,
} from "../provider.ts";

type ChatMessage = OpenAI.ChatCompletionMessageParam & Fields;

/** Who is asked, and what that server is particular about. */
type Asked = { readonly name: string } & Pick<ModelOptions, "thinking" | "wantsThinkingBack" | "callIds">;

export function chatRequest(
  { system, messages, tools, thinking }: ModelRequest,
  asked: Asked,
): OpenAI.ChatCompletionCreateParamsStreaming {
  return {
    model: asked.name,
    messages: [
      { role: "system", content: system.toWellFormed() },
      ...messages.flatMap((message) => toChatMessage(message, asked)),
    ],
    // An empty list is refused by several servers.
    ...(tools.length === 0 ? {} : { tools: tools.map(toChatTool) }),
    ...asked.thinking[thinking],
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toChatTool({ name, description, parameters }: ToolSpec): OpenAI.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}

function toChatMessage(message: Message, asked: Asked): ChatMessage | [] {
  switch (message.role) {
    case "user":
      return { role: "user", content: toContent(message) };
    case "assistant":
      return toChatAnswer(message, asked);
    case "toolResult":
      return {
        role: "tool",
        tool_call_id: idFor(asked, message.toolCallId),
        content: message.content.toWellFormed(),
      };
  }
}

/** Thinking is left out, but where the server wants it back with the calls that it led to; others refuse or ignore it. */
function toChatAnswer({ content, model }: AssistantMessage, asked: Asked): ChatMessage | [] {
  const text = content.map((block) => block.type === "text" ? block.text : "").join("");
  const thinking = content.map((block) => block.type === "thinking" ? block.thinking : "").join("");
  const isOwn = model === asked.name;
  const calls = content.flatMap((block) =>
    block.type === "toolCall" ? toChatCall(block, { asked, isOwn }) : []
  );
  const first = content.find((block) => block.type === "toolCall");
  const { reasoning_details } = readCarried(first?.signature);
  // An answer of nothing, to which the user went on talking, is refused by several servers.
  if (text === "" && calls.length === 0) return [];
  return {
    role: "assistant",
    content: text === "" ? null : text.toWellFormed(),
    ...(asked.wantsThinkingBack && isOwn && calls.length > 0 && thinking !== ""
      ? { reasoning_content: thinking.toWellFormed() }
      : {}),
    ...(isOwn && reasoning_details ? { reasoning_details } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toChatCall(
  { id, name, argumentsText, signature }: ToolCall,
  { asked, isOwn }: { readonly asked: Asked; readonly isOwn: boolean },
) {
  const { extra_content } = readCarried(signature);
  return {
    type: "function" as const,
    id: idFor(asked, id),
    function: { name, arguments: objectText(argumentsText) },
    ...(isOwn && extra_content ? { extra_content } : {}),
  };
}

/** Mistral takes no id but nine letters and digits; another one becomes such a one, the same each time. */
function idFor({ callIds }: Asked, id: string): string {
  if (callIds !== "nine" || /^[A-Za-z0-9]{9}$/.test(id)) return id;
  let hash = 0n;
  for (const byte of new TextEncoder().encode(id)) {
    hash = (hash ^ BigInt(byte)) * 0x100000001b3n % (1n << 64n);
  }
  return hash.toString(36).padStart(9, "0").slice(-9);
}

/** A text alone where there are no images: not every server takes parts. */
function toContent({ content, images = [] }: UserMessage): string | OpenAI.ChatCompletionContentPart[] {
  const text = content.toWellFormed();
  if (images.length === 0) return text;
  return [
    { type: "text", text },
    ...images.map(({ data, mimeType }) => ({
      type: "image_url" as const,
      image_url: { url: `data:${mimeType};base64,${data}` },
    })),
  ];
}
