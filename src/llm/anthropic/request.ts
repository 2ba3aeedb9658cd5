/**
 * A conversation in the words of a Messages request. What stays the same from request to request is marked for the
 * provider's cache: tools and system prompt, and the conversation up to the last message and up to the one before it.
 */
import type Anthropic from "@anthropic-ai/sdk";
import { objectText } from "../call_arguments.ts";
import type {
  AssistantMessage,
  Message,
  ModelOptions,
  ModelRequest,
  ToolSpec,
  UserMessage,
} from "../provider.ts";
import { readThought } from "./thought.ts";

interface Param {
  readonly role: "user" | "assistant";
  readonly content: Anthropic.ContentBlockParam[];
}

const CACHED = { cache_control: { type: "ephemeral" } } as const;
/** The answer's limit where the model's own is not known. */
const MAX_OUTPUT_TOKENS = 32_000;

export function anthropicRequest(
  { system, messages, tools, thinking }: ModelRequest,
  { name, thinking: levels, maxOutputTokens = MAX_OUTPUT_TOKENS }:
    & { readonly name: string }
    & Pick<ModelOptions, "thinking" | "maxOutputTokens">,
): Anthropic.MessageCreateParamsStreaming {
  return {
    model: name,
    max_tokens: maxOutputTokens,
    ...(system.trim() === "" ? {} : { system: [{ type: "text", text: system.toWellFormed(), ...CACHED }] }),
    messages: withMarks(joined(messages.flatMap((message) => toParam(message, name)))),
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    ...levels[thinking],
    stream: true,
  };
}

function toTool({ name, description, parameters }: ToolSpec): Anthropic.Tool {
  // Without the last member the arguments come in large pieces, and a statement can't be shown while it is written.
  return {
    name,
    description,
    input_schema: { ...parameters, type: "object" },
    eager_input_streaming: true,
  };
}

function toParam(message: Message, name: string): Param | [] {
  switch (message.role) {
    case "user":
      return { role: "user", content: toContent(message) };
    case "assistant": {
      const content = toBlocks(message, name);
      return content.length === 0 ? [] : { role: "assistant", content };
    }
    case "toolResult":
      return {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: idOf(message.toolCallId),
          content: message.content.toWellFormed(),
          ...(message.isError ? { is_error: true } : {}),
        }],
      };
  }
}

function toBlocks({ content, model }: AssistantMessage, name: string): Anthropic.ContentBlockParam[] {
  return content.flatMap((block): Anthropic.ContentBlockParam | [] => {
    switch (block.type) {
      case "text":
        // A blank text is refused.
        return block.text.trim() === "" ? [] : { type: "text", text: block.text.toWellFormed() };
      case "thinking":
        return model === name ? readThought(block) ?? [] : [];
      case "toolCall":
        return {
          type: "tool_use",
          id: idOf(block.id),
          name: block.name,
          input: JSON.parse(objectText(block.argumentsText)),
        };
    }
  });
}

/** Ids of other providers may have characters that are not taken here. */
function idOf(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}

/** All results of one response have to be in one message, and so has what the user said meanwhile. */
function joined(params: readonly Param[]): Param[] {
  const whole: Param[] = [];
  for (const { role, content } of params) {
    const last = whole.at(-1);
    if (last?.role === role) last.content.push(...content);
    else whole.push({ role, content: [...content] });
  }
  return whole;
}

/** The mark on the message before is what the last request wrote into the cache. */
function withMarks(params: Param[]): Param[] {
  const users = params.filter(({ role }) => role === "user").slice(-2);
  for (const { content } of users) {
    const last = content.at(-1);
    if (last?.type === "text" || last?.type === "tool_result") Object.assign(last, CACHED);
  }
  return params;
}

const MEDIA_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** Images come before the text, as the API's authors advise; those of other kinds are left out. */
function toContent({ content, images = [] }: UserMessage): Anthropic.ContentBlockParam[] {
  const shown = images.flatMap(({ data, mimeType }): Anthropic.ImageBlockParam[] => {
    const media_type = MEDIA_TYPES.find((type) => type === mimeType);
    return media_type === undefined ? [] : [{ type: "image", source: { type: "base64", media_type, data } }];
  });
  return [...shown, { type: "text", text: content.toWellFormed() }];
}
