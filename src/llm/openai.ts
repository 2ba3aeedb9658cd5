/**
 * Models behind a Chat Completions API, through OpenAI's client library.
 * One request at a time is one stream; retries, history and tools are other files' work.
 */
import OpenAI from "openai";
import { Fault } from "../base/fault.ts";
import { Answer } from "./answer.ts";
import { ChatAnswer } from "./chat_answer.ts";
import { ChatChunk } from "./chat_chunk.ts";
import { chatRequest } from "./chat_request.ts";
import type { Model, ModelEvent, ModelOptions, ModelRequest } from "./provider.ts";
import { type Asked, askFault, serverFault } from "./server_fault.ts";
import { watchedFetch } from "./watched_fetch.ts";

export function openaiModel(options: ModelOptions): Model {
  const name = options.id.slice(options.id.indexOf(":") + 1);
  const client = makeClient(options);
  return { id: options.id, name, stream: (request) => stream(request, { client, name, options }) };
}

/** The library reads the environment for whatever is left out here. */
function makeClient(options: ModelOptions): OpenAI {
  return new OpenAI({
    baseURL: options.baseUrl,
    // The library insists on a key; watchedFetch does not send one that is none.
    apiKey: options.apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // watchedFetch bounds the waiting; this bound must not be met before.
    timeout: 2 * options.silenceMs,
    logLevel: "off",
    fetch: watchedFetch(options),
  });
}

interface Way {
  readonly client: OpenAI;
  readonly name: string;
  readonly options: ModelOptions;
}

async function* stream(request: ModelRequest, { client, name, options }: Way): AsyncGenerator<ModelEvent> {
  const { signal } = request;
  const answer = new Answer();
  const chat = new ChatAnswer(answer, callIds(request));
  try {
    const body = chatRequest(request, { name, efforts: options.efforts });
    const chunks: AsyncIterable<unknown> = await client.chat.completions.create(body, { signal });
    for await (const chunk of chunks) {
      chat.take(parseChunk(chunk, options));
      yield* answer.drain();
    }
  } catch (error) {
    // A whole answer stays one, whatever becomes of the connection behind it.
    if (!chat.finished && !signal.aborted) throw toModelFault(error, options);
  }
  // The library ends an aborted stream as if it were complete.
  if (signal.aborted) throw new Fault("cancelled", "The question was cancelled.");
  if (!chat.finished) throw askFault(options, chat.started ? UNFINISHED : GARBLED);
  const message = chat.finish(name);
  yield* answer.drain();
  if (message.stopReason === "error") throw serverFault({}, options);
  yield { type: "done", message };
}

const UNFINISHED = {
  fault: "model_unreachable",
  state: "broke off the connection in mid-answer",
  next: "Ask again.",
} as const;
const GARBLED = {
  fault: "model_error",
  state: "sent something that is not a Chat Completions answer",
  next: "Check the base URL of this provider.",
} as const;

function callIds({ messages }: ModelRequest): string[] {
  return messages.flatMap((message) => message.role === "toolResult" ? message.toolCallId : []);
}

function parseChunk(chunk: unknown, asked: Asked): ChatChunk {
  const parsed = ChatChunk.safeParse(chunk);
  if (!parsed.success) throw askFault(asked, GARBLED);
  return parsed.data;
}

function toModelFault(error: unknown, asked: Asked): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof OpenAI.APIError) {
    if (error.cause instanceof Fault) return error.cause;
    const { status, message } = error;
    const code = error.code ?? error.type ?? undefined;
    return serverFault({
      // The library puts the status before the server's words, and words of its own in the place of none.
      message: message.replace(/^\d{3} /, "").replace(/^status code \(no body\)$/, ""),
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code: String(code) }),
    }, asked);
  }
  if (error instanceof SyntaxError || error instanceof OpenAI.OpenAIError) return askFault(asked, GARBLED);
  throw error;
}
