/**
 * A conversation in the words of a Responses request.
 */
import type OpenAI from "openai";
import { objectText } from "../call_arguments.ts";
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ModelOptions,
  ModelRequest,
  UserMessage,
} from "../provider.ts";
import { readReasoning } from "./reasoning.ts";

type Item = OpenAI.Responses.ResponseInputItem;

export function responsesRequest(
  { system, messages, tools, thinking }: ModelRequest,
  { name, thinking: levels }: { readonly name: string } & Pick<ModelOptions, "thinking">,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  return {
    model: name,
    instructions: system.toWellFormed(),
    input: messages.flatMap((message) => toItems(message, name)),
    ...(tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function",
        name,
        description,
        parameters: { ...parameters },
        strict: false,
      })),
    }),
    ...levels[thinking],
    store: false,
    stream: true,
  };
}

function toItems(message: Message, name: string): Item[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: toContent(message) }];
    case "assistant":
      return message.content.flatMap((block) => toItem(block, { message, name }));
    case "toolResult":
      return [{
        type: "function_call_output",
        call_id: message.toolCallId,
        output: message.content.toWellFormed(),
      }];
  }
}

function toItem(
  block: ContentBlock,
  { message, name }: { readonly message: AssistantMessage; readonly name: string },
): Item | [] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : { role: "assistant", content: block.text.toWellFormed() };
    case "thinking": {
      // Only the model that wrote it can read it.
      const reasoning = message.model === name ? readReasoning(block.signature) : undefined;
      if (!reasoning) return [];
      const summary = block.thinking === ""
        ? []
        : [{ type: "summary_text" as const, text: block.thinking.toWellFormed() }];
      return { type: "reasoning", ...reasoning, summary };
    }
    case "toolCall":
      return {
        type: "function_call",
        call_id: block.id,
        name: block.name,
        arguments: objectText(block.argumentsText),
      };
  }
}

function toContent({ content, images = [] }: UserMessage): string | OpenAI.Responses.ResponseInputContent[] {
  const text = content.toWellFormed();
  if (images.length === 0) return text;
  return [
    { type: "input_text", text },
    ...images.map(({ data, mimeType }) => ({
      type: "input_image" as const,
      detail: "auto" as const,
      image_url: `data:${mimeType};base64,${data}`,
    })),
  ];
}
