/**
 * Models behind a Chat Completions API, through OpenAI's client library.
 * One request at a time is one stream; retries, history and tools are other files' work.
 */
import { modelName } from "../model_name.ts";
import { openaiClient, openaiLibrary } from "../openai_client.ts";
import type { Model, ModelOptions, ModelRequest } from "../provider.ts";
import { adapterModel } from "../stream_answer.ts";
import { ChatAnswer } from "./answer.ts";
import { chatRequest } from "./request.ts";

const LIBRARY = openaiLibrary("a Chat Completions");

export function chatModel(options: ModelOptions): Model {
  const asked = { ...options, name: modelName(options.id) };
  const { completions } = openaiClient(options).chat;
  return adapterModel(options, {
    library: LIBRARY,
    reader: (answer, request) => new ChatAnswer(answer, callIds(request)),
    open: (request) => completions.create(chatRequest(request, asked), { signal: request.signal }),
  });
}

function callIds({ messages }: ModelRequest): string[] {
  return messages.flatMap((message) => message.role === "toolResult" ? message.toolCallId : []);
}
