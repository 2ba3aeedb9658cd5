/**
 * What the model is told of a conversation: the protocol's messages in the agent's words.
 */
import type { TranscriptMessage } from "../../agent/events.ts";
import { type AssistantMessage, type Content, type OmpMessage, textOf } from "./messages.ts";

/** Failed answers are no part of it; a stopped one is, with what it said. */
export function historyOf(
  messages: readonly OmpMessage[],
  { sees }: {
    /** The model takes images; otherwise they are only named. */
    readonly sees: boolean;
  },
): TranscriptMessage[] {
  return messages.flatMap((message) => toTranscript(message, sees));
}

function toTranscript(message: OmpMessage, sees: boolean): TranscriptMessage[] {
  const { timestamp } = message;
  const say = (content: string): TranscriptMessage[] => [{ role: "user", content, timestamp }];
  switch (message.role) {
    case "user": {
      if (!sees) return say(shownText(message.content));
      const images = message.content.flatMap((part) => part.type === "image" ? [part] : []);
      return [{ role: "user", content: textOf(message.content), images, timestamp }];
    }
    case "assistant":
      return toAnswer(message);
    case "toolResult": {
      const { toolCallId, toolName, isError } = message;
      const content = shownText(message.content, "shown to the user");
      return [{ role: "toolResult", toolCallId, toolName, content, isError, timestamp }];
    }
    case "bashExecution":
      if (message.excludeFromContext) return [];
      return say(`I ran this in a shell: ${message.command}\n\nIts output:\n${message.output}`);
    case "custom":
      return say(shownText(message.content));
    case "compactionSummary":
      return say(`What this conversation was about before, in short:\n\n${message.summary}`);
  }
}

function toAnswer({ content, model, stopReason, timestamp }: AssistantMessage): TranscriptMessage[] {
  if (stopReason === "error" || content.length === 0) return [];
  return [{
    role: "assistant",
    content: content.map((block) => {
      switch (block.type) {
        case "text":
          return block;
        case "thinking":
          return {
            type: "thinking",
            thinking: block.thinking,
            ...(block.thinkingSignature === undefined ? {} : { signature: block.thinkingSignature }),
          };
        case "toolCall":
          return { type: "toolCall", id: block.id, name: block.name, argumentsText: block.arguments.text };
      }
    }),
    model,
    usage: null,
    stopReason: stopReason === "aborted" ? "stop" : stopReason,
    timestamp,
  }];
}

/** Images are named, where the model is given text. */
function shownText(content: Content, how = "not shown"): string {
  const images = content.filter(({ type }) => type === "image").length;
  return images === 0 ? textOf(content) : `${textOf(content)}\n[${images} image(s), ${how}]`;
}
