/**
 * Models behind OpenAI's Responses API, through OpenAI's client library. Nothing is stored there: each request carries
 * the conversation, with the reasoning in encrypted form.
 */
import { Answer } from "../answer.ts";
import { openaiClient, openaiLibrary } from "../openai_client.ts";
import type { Model, ModelOptions } from "../provider.ts";
import { streamAnswer } from "../stream_answer.ts";
import { ResponsesAnswer } from "./answer.ts";
import { responsesRequest } from "./request.ts";

const LIBRARY = openaiLibrary("a Responses");

export function responsesModel(options: ModelOptions): Model {
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
        reader: new ResponsesAnswer(answer, options),
        library: LIBRARY,
        open: (signal) =>
          client.responses.create(responsesRequest(request, { ...options, name }), { signal }),
      });
    },
  };
}
