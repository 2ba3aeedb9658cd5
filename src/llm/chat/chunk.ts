/**
 * One piece of a Chat Completions stream as servers really send it: a schema that takes what is usable and
 * overlooks the rest. What the pieces add up to is answer.ts's.
 */
import * as z from "zod/mini";
import { count, lenient } from "../lenient.ts";

const text = lenient(z.string());

/** What Gemini's thoughts need to be known by, and to be given back with their calls. */
const extra = lenient(z.record(z.string(), z.unknown()));

const CallDelta = z.object({
  index: lenient(z.int()),
  id: text,
  extra_content: extra,
  function: lenient(z.object({
    name: text,
    /** Some servers send the arguments as an object instead of its JSON text. */
    arguments: lenient(z.union([z.string(), z.record(z.string(), z.unknown())])),
  })),
});

const UsageCounts = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: lenient(z.object({ cached_tokens: count, cache_write_tokens: count })),
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens: count,
});

/** Mistral's thinking models send parts. */
const Part = z.object({
  text,
  thinking: lenient(z.union([z.string(), z.array(z.object({ text }))])),
});

const Choice = z.object({
  index: lenient(z.int()),
  delta: lenient(z.object({
    content: lenient(z.union([z.string(), z.array(Part)])),
    refusal: text,
    extra_content: extra,
    /** DeepSeek, vLLM, llama.cpp, LM Studio. */
    reasoning_content: text,
    /** OpenRouter, Ollama, Groq. */
    reasoning: text,
    reasoning_details: lenient(z.array(z.record(z.string(), z.unknown()))),
    tool_calls: lenient(z.array(CallDelta)),
  })),
  finish_reason: text,
  usage: lenient(UsageCounts),
});

export const ChatChunk = z.object({ choices: lenient(z.array(Choice)), usage: lenient(UsageCounts) });

export type ChatPart = z.infer<typeof Part>;
export type ChatChunk = z.infer<typeof ChatChunk>;
export type ChatChoice = z.infer<typeof Choice>;
export type ChatCallDelta = z.infer<typeof CallDelta>;
export type ChatUsage = z.infer<typeof UsageCounts>;
