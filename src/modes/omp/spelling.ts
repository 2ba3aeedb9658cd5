/**
 * The agent's messages in the protocol's shape: pure functions. The way back is history.ts's.
 */
import type { ToolEnd, TranscriptMessage } from "../../agent/events.ts";
import { RawJson, toJson } from "../../base/json.ts";
import { argumentsJson } from "../session/arguments_json.ts";
import type { HostAnswer } from "./host_tools.ts";
import {
  type AssistantMessage,
  NO_USAGE,
  type ToolResult,
  type Usage,
  type UserMessage,
} from "./messages.ts";

type TheirAssistant = Extract<TranscriptMessage, { role: "assistant" }>;
type TheirUser = Extract<TranscriptMessage, { role: "user" }>;

/** Who answers: what the protocol wants in each assistant message. */
export interface Answerer {
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  /** Dollars for a million tokens, where they are known. */
  readonly price: Omit<Usage["cost"], "total"> | undefined;
}

/** How something came to be said in the user's name. */
export type How = "prompt" | "steer" | "followUp" | "reminder";

export function spellUser({ content, images = [], timestamp }: TheirUser, how: How): UserMessage {
  const shown = images.map(({ data, mimeType }) => ({ type: "image" as const, data, mimeType }));
  const message: UserMessage = {
    role: "user",
    content: [{ type: "text", text: content }, ...shown],
    timestamp,
  };
  if (how === "steer") return { ...message, steering: true };
  return how === "reminder" ? { ...message, synthetic: true } : message;
}

export function emptyAssistant(answerer: Answerer): AssistantMessage {
  const { api, provider, model } = answerer;
  return {
    role: "assistant",
    content: [],
    ...{ api, provider, model },
    usage: NO_USAGE,
    stopReason: "stop",
    timestamp: Date.now(),
  };
}

export function spellAssistant(message: TheirAssistant, answerer: Answerer): AssistantMessage {
  const { api, provider, model } = answerer;
  const { stopReason } = message;
  return {
    role: "assistant",
    content: message.content.map(spellBlock),
    ...{ api, provider, model },
    usage: spellUsage(message.usage, answerer.price),
    stopReason: stopReason === "contentFilter" || stopReason === null ? "stop" : stopReason,
    timestamp: message.timestamp,
  };
}

function spellBlock(block: TheirAssistant["content"][number]): AssistantMessage["content"][number] {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.thinking,
        ...(block.signature === undefined ? {} : { thinkingSignature: block.signature }),
      };
    case "toolCall":
      return {
        type: "toolCall",
        id: block.id,
        name: block.name,
        arguments: new RawJson(toJson(argumentsJson(block.argumentsText))),
      };
  }
}

function spellUsage(usage: TheirAssistant["usage"], price: Answerer["price"]): Usage {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  const counts = {
    // the protocol counts cached input apart
    input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
  };
  return { ...counts, totalTokens: inputTokens + outputTokens, cost: spellCost(counts, price) };
}

function spellCost(counts: Prices, price: Answerer["price"]): Usage["cost"] {
  if (price === undefined) return NO_USAGE.cost;
  const cost = {
    input: counts.input * price.input / 1e6,
    output: counts.output * price.output / 1e6,
    cacheRead: counts.cacheRead * price.cacheRead / 1e6,
    cacheWrite: counts.cacheWrite * price.cacheWrite / 1e6,
  };
  return { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite };
}

type Prices = Omit<Usage["cost"], "total">;

export function spellToolResult(end: ToolEnd, details: ToolDetails): ToolResult {
  const { toolCallId, toolName, result, isError } = end;
  const known = { ...details, queryResult: end.queryResult && { ...end.queryResult } };
  const artifacts = end.artifacts?.map((artifact) => ({ ...artifact }));
  return {
    role: "toolResult",
    ...{ toolCallId, toolName },
    content: [{ type: "text", text: result }],
    details: new RawJson(toJson({ ...known, artifacts })),
    isError,
    timestamp: Date.now(),
  };
}

/** As the host said it, images too. */
export function spellHostResult(
  { toolCallId, toolName, isError }: ToolEnd,
  { content, details }: HostAnswer,
): ToolResult {
  return {
    role: "toolResult",
    ...{ toolCallId, toolName, content, isError },
    ...(details === undefined ? {} : { details: new RawJson(toJson(details)) }),
    timestamp: Date.now(),
  };
}

/** What a host may want to know of a call besides its text. */
export interface ToolDetails {
  readonly [key: string]: string | number | undefined;
}
