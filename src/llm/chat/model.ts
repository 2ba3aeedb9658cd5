/**
 * Models behind a Chat Completions API, through OpenAI's client library.
 * One request at a time is one stream; retries, history and tools are other files' work.
 */
import { Answer } from "../answer.ts";
import type { Model, ModelOptions, ModelRequest } from "../provider.ts";
import { streamAnswer } from "../stream_answer.ts";
import { openaiClient, openaiLibrary } from "../openai_client.ts";
import { ChatAnswer } from "./answer.ts";
import { chatRequest } from "./request.ts";

const LIBRARY = openaiLibrary("a Chat Completions");

export function chatModel(options: ModelOptions): Model {
  const name = options.id.slice(options.id.indexOf(":") + 1);
  const client = openaiClient(options);
  return {
    id: options.id,
    name,
    stream: (request) => {
      const answer = new Answer();
      return streamAnswer(request, {
        options,
        answer,
        reader: new ChatAnswer(answer, { name, usedIds: callIds(request) }),
        library: LIBRARY,
        open: (signal) =>
          client.chat.completions.create(chatRequest(request, { ...options, name }), { signal }),
      });
    },
  };
}

function callIds({ messages }: ModelRequest): string[] {
  return messages.flatMap((message) => message.role === "toolResult" ? message.toolCallId : []);
}
