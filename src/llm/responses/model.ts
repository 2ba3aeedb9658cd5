/**
 * Models behind OpenAI's Responses API, through OpenAI's client library. Nothing is stored there: each request carries
 * the conversation, with the reasoning in encrypted form.
 */
import { modelName } from "../model_name.ts";
import { openaiClient, openaiLibrary } from "../openai_client.ts";
import type { Model, ModelOptions } from "../provider.ts";
import { adapterModel } from "../stream_answer.ts";
import { ResponsesAnswer } from "./answer.ts";
import { responsesRequest } from "./request.ts";

const LIBRARY = openaiLibrary("a Responses");

export function responsesModel(options: ModelOptions): Model {
  const asked = { ...options, name: modelName(options.id) };
  const { responses } = openaiClient(options);
  return adapterModel(options, {
    library: LIBRARY,
    reader: (answer) => new ResponsesAnswer(answer, options),
    open: (request) => responses.create(responsesRequest(request, asked), { signal: request.signal }),
  });
}
